import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { compare, isZero, plus, share } from "../../lib/money.ts"

const NAMED = 4

/** What part of the total each coin is, largest first; from the fifth on they are one part without a name. */
export function partsOf({ total, list }: Pick<FinanceAnswer, "total" | "list">): {
  asset: string | null
  share: string
}[] {
  const worth = list.filter(({ value }) => !isZero(value)).sort((a, b) => compare(b.value, a.value))
  const parts = worth.slice(0, NAMED).map(({ asset, value }) => ({ asset, share: share(value, total) }))
  const rest = worth.slice(NAMED).reduce((sum, { value }) => plus(sum, value), "0")
  return isZero(rest) ? parts : [...parts, { asset: null, share: share(rest, total) }]
}
