import { compare, dropZeros, minus, times } from "../../lib/money.ts"
import { scaleOf } from "../../lib/scales.ts"

/** What comes back if a stake wins, the stake included; cut at the coin's scale as the house does it. */
export function payout(stake: string, multiple: string, asset: string): string {
  return times(stake, multiple, scaleOf(asset))
}

/** The highest stake that balance, the game's maximum and the free room allow; never below zero. */
export function highestStake(limits: readonly (string | undefined)[]): string {
  const known = limits.filter((limit) => limit !== undefined)
  const lowest = known.reduce((least, limit) => (compare(limit, least) < 0 ? limit : least), known[0] ?? "0")
  return compare(lowest, "0") < 0 ? "0" : dropZeros(lowest)
}

/** Half of an amount in hundredths, cut: a stake that reads well. */
export function half(amount: string): string {
  return times(amount, "0.5", 2)
}

/** Why a stake can't be placed; null when it can. The server decides in the end: this only saves a refusal. */
export function stakeProblem(
  stake: string,
  limits: { minimum: string; maximum: string; room: string | undefined; available: string | undefined },
): "below_minimum" | "above_maximum" | "over_room" | "over_balance" | null {
  if (compare(stake, limits.minimum) < 0) return "below_minimum"
  if (limits.available !== undefined && compare(stake, limits.available) > 0) return "over_balance"
  if (compare(stake, limits.maximum) > 0) return "above_maximum"
  if (limits.room !== undefined && compare(stake, limits.room) > 0) return "over_room"
  return null
}

/** What a settled bet changed: the prize less the stake. */
export const gain = (prize: string, stake: string): string => minus(prize, stake)
