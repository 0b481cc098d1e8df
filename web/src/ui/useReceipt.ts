import { useNavigate, useRouter, useRouterState } from "@tanstack/react-router"
import { findReceipt, keepReceipt, type Receipt } from "../lib/receipts.ts"
import { afterSheets } from "./steps.ts"

/** The receipt that stands in the form's place: a step of the history, so that Back leads to the form. */
export function useReceipt(): { receipt: Receipt | null; show: (receipt: Receipt) => void } {
  const navigate = useNavigate()
  const { history } = useRouter()
  const id = useRouterState({ select: ({ location }) => location.state.receipt })
  return {
    receipt: id === undefined ? null : findReceipt(id),
    show: (receipt) => {
      keepReceipt(receipt)
      afterSheets(
        history,
        () =>
          void navigate({
            to: ".",
            search: true as never,
            state: (state) => ({ ...state, sheet: undefined, receipt: receipt.id }),
            // It takes the review's place: nobody comes back to what is done.
            replace: history.location.state.sheet !== undefined,
          }),
      )
    },
  }
}
