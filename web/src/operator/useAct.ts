import { useCustomMutation } from "@refinedev/core"
import { useRef } from "react"
import { Refusal } from "../lib/api.ts"
import { notify } from "../lib/notices.ts"
import { newRequestId } from "../lib/requests.ts"
import { hasSessionEnded } from "./ask.ts"
import { authProvider, queryClient } from "./refine.ts"

interface Act<T extends object> {
  act: (fields: object, then: (answer: T) => void) => void
  busy: boolean
  problem: Error | null
}

/** A reason as the wire takes it, which refuses what ends a line. */
const inOneLine = (fields: object): object =>
  "reason" in fields ? { ...fields, reason: String(fields.reason).replace(/\s+/g, " ") } : fields

/**
 * One act of staff: the same fields are one request however often they are sent, and afterwards all lists are asked anew.
 * `done` is told when it has happened. A `renewal` is of no request: of passwords nothing is kept.
 */
export function useAct<T extends object>(
  name: string,
  done: string | null,
  { renewal = false } = {},
): Act<T> {
  const sent = useRef({ fields: "", id: "" })
  const { mutate, mutation } = useCustomMutation<T, Error & { statusCode: number }>()
  return {
    act(given, then) {
      const fields = inOneLine(given)
      const text = JSON.stringify(fields)
      if (sent.current.fields !== text) sent.current = { fields: text, id: newRequestId() }
      const values = renewal ? fields : { ...fields, request_id: sent.current.id }
      mutate(
        { url: name, method: "post", values, errorNotification: false, successNotification: false },
        {
          onSuccess({ data }) {
            sent.current = { fields: "", id: "" }
            if (done !== null) notify(done)
            void queryClient.invalidateQueries()
            then(data)
          },
          onError(problem) {
            if (hasSessionEnded(problem)) void authProvider.onError(problem)
            // What was refused may not be as it was shown any more.
            else if (problem instanceof Refusal) void queryClient.invalidateQueries()
          },
        },
      )
    },
    busy: mutation.isPending,
    problem: mutation.error,
  }
}
