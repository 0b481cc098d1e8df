import type { ReactNode } from "react"
import type { Disclosure, Order } from "../lib/payment.ts"
import type { Receipt } from "../lib/receipts.ts"
import type { FactorAsked } from "../lib/secondFactor.ts"
import { ReviewAnswer } from "./ReviewAnswer.tsx"
import { ReviewPassword } from "./ReviewPassword.tsx"
import { ReviewTerms } from "./ReviewTerms.tsx"
import { Sheet } from "./Sheet.tsx"
import type { Review } from "./useReview.ts"

export interface Terms extends Disclosure {
  /** The text to accept, in the member's language. */
  text: ReactNode
}

interface Props<B extends object, A extends Receipt> {
  review: Review<B, A>
  title: string
  /** Who, whereto in full, how much, what it costs, what arrives. */
  children: (order: Order<B>) => ReactNode
  /** What can't be undone, or is at risk and why. */
  note?: ReactNode
  /** The button's sentence: "Send 50 USDT". */
  sentence: (order: Order<B>) => ReactNode
  /** What isn't accepted yet: known beforehand, or what the server has just asked for. */
  terms?: (asked: Disclosure | null) => Terms | undefined
  /** What the second factor is asked for, where the call wants one of this order. */
  factor?: (order: Order<B>) => FactorAsked | null
}

/** What will happen, word by word; then the password, then the answer. One sheet, one request. */
export function ReviewSheet<B extends object, A extends Receipt>(props: Props<B, A>) {
  const { review, title, children, note, sentence, terms, factor } = props
  const { state, sheet, payment } = review
  const { step, order, unanswered } = state
  // Done: the receipt is on its way.
  const sending = step === "sending" || step === "done"
  return (
    <Sheet sheet={sheet} title={title}>
      {order === null ? null : step === "checking" || (sending && unanswered) ? (
        <ReviewAnswer
          sending={sending}
          problem={state.problem}
          onAsk={() => payment.confirm()}
          onStop={() => payment.abandon()}
        />
      ) : (
        <>
          {children(order)}
          {step === "review" || (sending && !payment.asksPassword) ? (
            <ReviewTerms
              note={note}
              terms={terms?.(state.disclosure)}
              sending={sending}
              problem={state.problem}
              sentence={sentence(order)}
              onConfirm={(accepted) => payment.confirm(accepted)}
            />
          ) : (
            <ReviewPassword
              sending={sending}
              problem={state.problem}
              // The same request, asked for again, needs no other code unless the server says so.
              factor={unanswered && !state.factor ? null : (factor?.(order) ?? null)}
              sentence={sentence(order)}
              onSend={(secrets) => void payment.send(secrets)}
            />
          )}
        </>
      )}
    </Sheet>
  )
}
