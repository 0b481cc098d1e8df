import { useEffect, useRef } from "react"
import type { Payment } from "../lib/payment.ts"
import type { Receipt } from "../lib/receipts.ts"
import { usePayment } from "../lib/usePayment.ts"
import { useSheet } from "./Sheet.tsx"
import { useReceipt } from "./useReceipt.ts"

/**
 * A payment with its review sheet and its receipt: `review` opens the one, the answer leads to the other.
 *
 * Back closes the sheet. What was only reviewed is then forgotten; what was sent goes on and can be shown again.
 */
export function useReview<B extends object, A extends Receipt>(payment: Payment<B, A>) {
  const receipt = useReceipt()
  const state = usePayment(payment, (answer) => receipt.show(answer))
  // Nothing is under review any more: after a reload, a refusal, the answer.
  const sheet = useSheet(`review ${payment.name}`, state.step !== "form")
  const { shown } = sheet
  const before = useRef(shown)
  useEffect(() => {
    const closed = before.current && !shown
    before.current = shown
    // A refusal that closed it is told on the form.
    if (closed && payment.read().step !== "form") payment.cancel()
  }, [shown, payment])
  return {
    payment,
    state,
    sheet,
    review: (body: B) => {
      payment.review(body)
      sheet.show()
    },
  }
}

export type Review<B extends object, A extends Receipt> = ReturnType<typeof useReview<B, A>>
