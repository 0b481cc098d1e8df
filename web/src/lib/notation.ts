import { intlTag, languageOf } from "./languages.ts"
import { getSettings } from "./settings.ts"

// How numbers are written. What draws before the page's code has come needs this and no arithmetic.

const formats = new Map<string, Intl.NumberFormat>()

// Languages that write numbers so, whatever the texts' language is.
const WRITTEN = { "1,234.5": "en", "1.234,5": "de", "1 234,5": "fr" } as const

/** In whose notation numbers are written now. */
export function presentTag(): string {
  const { numbers, language } = getSettings()
  return numbers === "language" ? intlTag(languageOf(language)) : WRITTEN[numbers]
}

/** A format that cuts, never rounds; each is made once. */
export function numberFormat(least: number, most: number, tag = presentTag()): Intl.NumberFormat {
  const key = `${tag} ${least} ${most}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(tag, {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    roundingMode: "trunc",
    useGrouping: "always",
  })
  formats.set(key, made)
  return made
}

export interface AmountFormat {
  /** Fewest and most decimals; what is beyond `most` is cut, never rounded up. */
  least?: number
  most?: number
  /** Put a plus sign before what is above zero. */
  sign?: boolean
}

const MINUS = "\u2212"

/** Parts of an amount in the language's notation: sign, whole digits, and decimals with their separator. */
export function amountParts(
  value: string,
  { least = 2, most = 8, sign = false }: AmountFormat = {},
  tag = presentTag(),
) {
  const any = /[1-9]/.test(value)
  const parts = numberFormat(least, most, tag).formatToParts(
    value.replace(/^-/, "") as Intl.StringNumericLiteral,
  )
  const whole = parts.filter((part) => part.type === "integer" || part.type === "group")
  const rest = parts.filter((part) => part.type === "decimal" || part.type === "fraction")
  return {
    sign: any && value.startsWith("-") ? MINUS : sign && any ? "+" : "",
    whole: whole.map((part) => part.value).join(""),
    decimals: rest.map((part) => part.value).join(""),
  }
}
