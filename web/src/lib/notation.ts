import { getSettings } from "./settings.ts"
import { intlTagOf, tagOf } from "./tags.ts"

// How numbers are written. What draws before the page's code has come needs this and no arithmetic, and not Intl either:
// its first format of numbers costs a phone a tenth of a second, before the balance is there.

// Languages that write numbers so, whatever the texts' language is.
const WRITTEN = { "1,234.5": "en", "1.234,5": "de", "1 234,5": "fr" } as const

interface Separators {
  /** Between groups of three digits. */
  group: string
  /** Between whole and decimals. */
  decimal: string
}
const USUAL: Separators = { group: ",", decimal: "." }
const POINTS: Separators = { group: ".", decimal: "," }
const SEPARATORS: Record<string, Separators> = {
  vi: POINTS,
  de: POINTS,
  fr: { ...POINTS, group: "\u202f" },
}

/** In whose notation numbers are written now. */
export function presentTag(): string {
  const { numbers, language } = getSettings()
  return numbers === "language" ? intlTagOf(tagOf(language)) : WRITTEN[numbers]
}

/** What stands between the digits in a notation. */
export const separatorsOf = (tag = presentTag()): Separators => SEPARATORS[tag] ?? USUAL

/** The most characters that a screen's one large figure has in its full size. */
export const HERO_MOST = 15

export interface AmountFormat {
  /** Fewest and most decimals; what is beyond `most` is cut, never rounded up. */
  least?: number
  most?: number
  /** Put a plus sign before what is above zero. */
  sign?: boolean
}

const MINUS = "\u2212"
const GROUPS = /\B(?=(?:\d{3})+$)/g

/** Parts of an amount in the language's notation: sign, whole digits, and decimals with their separator. */
export function amountParts(
  value: string,
  { least = 2, most = 8, sign = false }: AmountFormat = {},
  tag = presentTag(),
) {
  const { group, decimal } = separatorsOf(tag)
  const any = /[1-9]/.test(value)
  const [whole = "", fraction = ""] = value.replace(/^-/, "").split(".")
  const kept = fraction.slice(0, most).replace(/0+$/, "").padEnd(least, "0")
  return {
    sign: any && value.startsWith("-") ? MINUS : sign && any ? "+" : "",
    whole: whole.replace(/^0+(?=\d)/, "").replace(GROUPS, group),
    decimals: kept === "" ? "" : decimal + kept,
  }
}
