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
  // What wasn't sent goes with its screen, and so does a refusal that it has shown. An answer waits for the next one.
  useEffect(() => {
    const { step } = payment.read()
    if (step === "review" || step === "password") payment.cancel()
    return () => {
      if (payment.read().step !== "done") payment.cancel()
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
