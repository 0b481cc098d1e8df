import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { isZero } from "../../lib/money.ts"

/** What is asked for, as far as it is known. */
interface Asked<Data> {
  data: Data | undefined
  error: Error | null
}

/**
 * Whether somebody has yet to begin: nothing is there and nothing has ever moved. Who lost all has begun.
 *
 * Undefined while it isn't known: what it decides isn't to change places under a finger.
 */
export function begins(
  finance: Asked<FinanceAnswer>,
  movements: Asked<readonly unknown[]>,
): boolean | undefined {
  if (finance.data === undefined) return finance.error === null ? undefined : false
  if (!isZero(finance.data.total)) return false
  if (movements.data === undefined) return movements.error === null ? undefined : false
  return movements.data.length === 0
}
