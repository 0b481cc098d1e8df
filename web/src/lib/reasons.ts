import { t } from "@lingui/core/macro"
import { Refusal } from "./api.ts"
import { formatMoment } from "./time.ts"

/** Why it was refused, in a sentence; after too many tries with when the next one counts. */
export function reasonOf(problem: Error): string {
  const wait = problem instanceof Refusal ? problem.dataOf("too_many") : null
  const { message } = problem
  if (wait === null) return message
  const time = formatMoment((problem as Refusal).at + wait.retry_after * 1000)
  return t`${message} (until ${time})`
}
