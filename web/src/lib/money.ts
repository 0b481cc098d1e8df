import Big from "big.js"
import { type AmountFormat, amountParts, presentTag, separatorsOf } from "./notation.ts"
import { plainDigits } from "./plainDigits.ts"

// Money is a decimal string from the wire to the screen; a JavaScript number never holds it.
Big.strict = false
Big.DP = 20
Big.RM = Big.roundDown
Big.NE = -40
Big.PE = 40

const shorts = new Map<string, Intl.NumberFormat>()

export function formatAmount(value: string, format?: AmountFormat, tag?: string): string {
  const parts = amountParts(value, format, tag)
  return parts.sign + parts.whole + parts.decimals
}

/** A whole number (a count, a block's height) with the language's grouping. */
export function formatCount(value: number | string): string {
  return formatAmount(String(value), { least: 0, most: 0 })
}

/** A volume or a count, short and rounded: "1.23M". Balances and amounts of orders are never shortened. */
export function formatShort(value: number | string, tag = presentTag()): string {
  const format =
    shorts.get(tag) ?? new Intl.NumberFormat(tag, { notation: "compact", maximumFractionDigits: 2 })
  shorts.set(tag, format)
  return format.format(String(value) as Intl.StringNumericLiteral)
}

/** A fraction ("0.975") as a percentage. */
export function formatPercent(fraction: string, most = 2): string {
  const percent = new Big(fraction).times(100).round(most, Big.roundHalfUp).toFixed()
  return `${formatAmount(percent, { least: 0, most })}%`
}

/** The language's decimal separator, for keypads. */
export const decimalSeparator = (): string => separatorsOf().decimal

/** An amount as one would type it: the language's separator, no groups, no needless zeros. */
export const inputForm = (value: string): string => dropZeros(value).replace(".", decimalSeparator())

export type Parsed =
  | { value: string }
  | { problem: "empty" | "two_separators" | "not_a_number" | "too_long" | "too_fine" }

const LONGEST = /^\d{1,18}(\.\d{1,8})?$/
/** What parts whole from decimals in any keyboard. */
export const SEPARATOR = /[.,\u3002\uff0e\uff0c\u066b]/

/**
 * Read an amount as people type it: `,` or `.` is the decimal separator, whatever the language; digits may be
 * full-width, Thai or Arabic. Two separators are refused, since one of them would be a guess; so is what is finer
 * than the asset's `decimals`.
 */
export function parseAmount(text: string, most = 8): Parsed {
  const plain = plainDigits(text)
    .replace(/[\s_'\u2019]/g, "")
    .replace(/[,\u066b]/g, ".")
  if (plain === "" || plain === ".") return { problem: "empty" }
  if (!/^[\d.]+$/.test(plain)) return { problem: "not_a_number" }
  if (plain.indexOf(".") !== plain.lastIndexOf(".")) return { problem: "two_separators" }
  const [whole = "", decimals = ""] = plain.split(".")
  const value = (whole.replace(/^0+(?=\d)/, "") || "0") + (decimals ? `.${decimals}` : "")
  if (!LONGEST.test(value)) return { problem: "too_long" }
  return decimals.replace(/0+$/, "").length > most ? { problem: "too_fine" } : { value }
}

export const plus = (a: string, b: string): string => new Big(a).plus(b).toFixed()
export const minus = (a: string, b: string): string => new Big(a).minus(b).toFixed()
/** Product, cut (not rounded) to `decimals`. */
export const times = (a: string, b: string, decimals = 8): string =>
  dropZeros(new Big(a).times(b).round(decimals, Big.roundDown).toFixed())
export const compare = (a: string, b: string): number => new Big(a).cmp(b)
export const isZero = (value: string): boolean => new Big(value).eq(0)
export const isNegative = (value: string): boolean => new Big(value).lt(0)

/** `part` of `whole` as a fraction; "0" of nothing. */
export function share(part: string, whole: string): string {
  return isZero(whole) ? "0" : new Big(part).div(whole).round(6, Big.roundHalfUp).toFixed()
}

/**
 * How many decimals the figures of one column show, so that their points stand under each other: those of the finest,
 * for none is cut, and two at least.
 */
export function decimalsOf(values: readonly string[]): number {
  const lengths = values.map((value) => dropZeros(value).split(".")[1]?.length ?? 0)
  return Math.max(2, ...lengths)
}

/** Machine form without needless zeros: "1234.500" -> "1234.5". */
export function dropZeros(value: string): string {
  return value.includes(".") ? value.replace(/\.?0+$/, "") : value
}

const TINY_ZEROS = 4
const TINY_DIGITS = 4

/**
 * A price with four or more zeros right behind the point: what stands before them, their count, and four digits,
 * rounded half up. Null for any other.
 */
export function tinyParts(
  value: string,
  tag = presentTag(),
): { head: string; zeros: string; digits: string } | null {
  const price = new Big(value)
  if (price.eq(0) || price.abs().gte(1)) return null
  const zerosOf = (of: Big) => -of.e - 1
  const rounded = price.round(zerosOf(price) + TINY_DIGITS, Big.roundHalfUp)
  const zeros = zerosOf(rounded)
  if (zeros < TINY_ZEROS) return null
  const { sign, whole, decimals } = amountParts(rounded.lt(0) ? "-0.1" : "0.1", { least: 1, most: 1 }, tag)
  const head = `${sign}${whole}${decimals.slice(0, -1)}0`
  const digits = rounded
    .abs()
    .toFixed()
    .slice(2 + zeros)
  return { head, zeros: String(zeros), digits: digits.replace(/0+$/, "") }
}

/** Where the values stand between the lowest (0) and the highest (1): for drawing only. */
export function heights(values: readonly string[]): number[] {
  const bigs = values.map((value) => new Big(value))
  const low = bigs.reduce((a, b) => (a.lt(b) ? a : b), bigs[0] ?? new Big(0))
  const high = bigs.reduce((a, b) => (a.gt(b) ? a : b), bigs[0] ?? new Big(0))
  const span = high.minus(low)
  return bigs.map((value) => (span.eq(0) ? 0.5 : value.minus(low).div(span).toNumber()))
}
