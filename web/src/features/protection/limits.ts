import type { OwnLimit } from "../../lib/api.gen.ts"
import { compare, isZero, share } from "../../lib/money.ts"

/** The limits of an amount, by their names on the wire. */
export const KINDS = ["stake", "loss", "topup"] as const
export type Kind = (typeof KINDS)[number]

/** What a wanted limit does: nothing, counts at once, or waits. The server's own rule, to say it beforehand. */
export function effectOf({ amount, next_from }: OwnLimit, wanted: string | null): "none" | "now" | "later" {
  if (amount === null) return wanted === null ? "none" : "now"
  if (wanted === null || compare(wanted, amount) > 0) return "later"
  // The same once more takes back what waits.
  return compare(wanted, amount) === 0 && next_from === null ? "none" : "now"
}

/** How much of a limit is used, as a fraction of at most the whole; a limit of nothing is used up. */
export function usedShare(used: string, amount: string): string {
  return isZero(amount) || compare(used, amount) > 0 ? "1" : share(used, amount)
}
