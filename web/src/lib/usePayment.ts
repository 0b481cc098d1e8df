import { useEffect, useRef, useSyncExternalStore } from "react"
import type { Payment, PaymentState } from "./payment.ts"

/** Follow a payment; `onDone` gets its answer once, also one that came while no screen showed it. */
export function usePayment<B extends object, A>(
  payment: Payment<B, A>,
  onDone: (answer: A) => void,
): PaymentState<B, A> {
  const state = useSyncExternalStore(payment.watch, payment.read)
  const newest = useRef(onDone)
  newest.current = onDone
  // What was only reviewed belonged to the screen that is gone; so does a refusal that it has shown.
  useEffect(() => {
    const { step } = payment.read()
    if (step === "review" || step === "password") payment.cancel()
    return () => {
      if (payment.read().step === "form") payment.cancel()
    }
  }, [payment])
  useEffect(() => {
    const { step, answer } = payment.read()
    if (state.step !== "done" || step !== "done") return
    payment.cancel()
    newest.current(answer as A)
  }, [state.step, payment])
  return state
}
