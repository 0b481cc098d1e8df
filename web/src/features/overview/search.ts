import { isDay } from "../../lib/day.ts"
import { soughtIn, wordsIn } from "../../lib/searched.ts"

// A string to be split costs the entry less than a list.
const NAMES =
  "USDT KLS USA USO USDC BWC BWT RRT SATS DOMI ALEO points energy power fees dividends unclaimed" as const

type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

/** Every statement by its name in the address. */
export type Coin = Words<typeof NAMES>
export const COINS = NAMES.split(" ") as Coin[]

/** The sorts of movements that a statement can be narrowed to; absent is all. */
export const SORTS = ["topup", "stake", "prize", "back", "refund"] as const
export type Sort = (typeof SORTS)[number]

export const TABS = ["income"] as const

/** The spans of income; absent is today. */
export const SPANS = ["today", "yesterday", "total"] as const
export type Span = (typeof SPANS)[number]

export interface CoinSearch {
  /** Absent is the history. */
  tab?: (typeof TABS)[number]
  /** "unknown" for a word that names no coin: the page lets one be chosen. */
  coin?: Coin | "unknown"
  type?: Sort
  span?: Span
  from?: string
  to?: string
}

/** /node1: which coin and which of its movements, or income of which span. What isn't one of these is left out. */
export function validateCoin(raw: Record<string, unknown>): CoinSearch {
  const coin = typeof raw.coin === "string" ? coinNamed(raw.coin) : undefined
  const from = dayIn(raw.from)
  const to = dayIn(raw.to)
  return {
    ...(coin && { coin }),
    ...wordsIn(raw, { tab: TABS, type: SORTS, span: SPANS }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

export interface AssetsSearch {
  /** Coins at zero aren't shown. */
  hide?: "zero"
  /** Letters of the coins that are looked for. */
  q?: string
}

/** /node: which of the coins. */
export function validateAssets(raw: Record<string, unknown>): AssetsSearch {
  return { ...wordsIn(raw, { hide: ["zero"] }), ...soughtIn(raw) }
}

function dayIn(value: unknown): string | undefined {
  return typeof value === "string" && isDay(value) ? value : undefined
}

/** A word's coin, whatever its case. */
function coinNamed(word: string): Coin | "unknown" {
  return COINS.find((coin) => coin.toLowerCase() === word.toLowerCase()) ?? "unknown"
}
