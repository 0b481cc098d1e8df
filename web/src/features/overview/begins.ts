import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { isZero } from "../../lib/money.ts"

/** Whether somebody has yet to begin: nothing is there and nothing has ever moved. Who lost all has begun. */
export const begins = (
  finance: FinanceAnswer | undefined,
  movements: readonly unknown[] | undefined,
): boolean => finance !== undefined && isZero(finance.total) && movements?.length === 0
