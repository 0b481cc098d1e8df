import { useNavigate, useRouterState } from "@tanstack/react-router"
import { findReceipt, keepReceipt, type Receipt } from "../lib/receipts.ts"

/** The receipt that stands in the form's place: a step of the history, so that Back leads to the form. */
export function useReceipt(): { receipt: Receipt | null; show: (receipt: Receipt) => void } {
  const navigate = useNavigate()
  const id = useRouterState({ select: ({ location }) => location.state.receipt })
  const overSheet = useRouterState({ select: ({ location }) => location.state.sheet !== undefined })
  return {
    receipt: id === undefined ? null : findReceipt(id),
    show: (receipt) => {
      keepReceipt(receipt)
      void navigate({
        to: ".",
        search: true as never,
        state: (state) => ({ ...state, sheet: undefined, receipt: receipt.id }),
        // It takes the review's place: nobody comes back to what is done.
        replace: overSheet,
      })
    },
  }
}
