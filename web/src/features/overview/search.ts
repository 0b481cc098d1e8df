import { isDay } from "../../lib/days.ts"

export const COINS = ["USDT", "KLS"] as const
export type Coin = (typeof COINS)[number]

/** The sorts of movements that a statement can be narrowed to; absent is all. */
export const SORTS = ["topup", "stake", "prize", "back", "refund"] as const
export type Sort = (typeof SORTS)[number]

export interface CoinSearch {
  coin?: Coin
  type?: Sort
  from?: string
  to?: string
}

/** /node1: which coin, and which of its movements. What isn't one of these is left out. */
export function validateCoin(raw: Record<string, unknown>): CoinSearch {
  const coin = COINS.find((known) => known === raw.coin)
  const type = SORTS.find((known) => known === raw.type)
  const from = dayIn(raw.from)
  const to = dayIn(raw.to)
  return { ...(coin && { coin }), ...(type && { type }), ...(from && { from }), ...(to && { to }) }
}

function dayIn(value: unknown): string | undefined {
  return typeof value === "string" && isDay(value) ? value : undefined
}
