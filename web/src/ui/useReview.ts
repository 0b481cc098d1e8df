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
  const sheet = useSheet(`review ${payment.name}`)
  const receipt = useReceipt()
  const state = usePayment(payment, (answer) => receipt.show(answer))
  const before = useRef(sheet.shown)
  const { step } = state
  useEffect(() => {
    const closed = before.current && !sheet.shown
    before.current = sheet.shown
    if (closed && step !== "form") payment.cancel()
    if (sheet.shown && step === "form") sheet.hide()
  }, [sheet, step, payment])
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
