import type { FinanceAnswer, LimitsAnswer } from "../../lib/api.gen.ts"
import { isZero, plus } from "../../lib/money.ts"

export interface Standing {
  asset: string
  /** All there is of it, in bets too. */
  amount: string
  isHeld: boolean
}

/** What an account still holds: it closes when nothing is left. */
export function standingOf({ list }: Pick<FinanceAnswer, "list">): Standing[] {
  return list
    .filter(({ available, held }) => !isZero(available) || !isZero(held))
    .map(({ asset, available, held }) => ({ asset, amount: plus(available, held), isHeld: !isZero(held) }))
}

/** When the last break or exclusion ends, which closing would end before its time; null while none runs. */
export function pausedUntil(
  limits: Pick<LimitsAnswer, "paused_until" | "excluded_until"> | undefined,
  now: number,
): number | null {
  const until = Math.max(limits?.paused_until ?? 0, limits?.excluded_until ?? 0)
  return now < until ? until : null
}
