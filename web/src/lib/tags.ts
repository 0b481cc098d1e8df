/** The seven languages: the code we store and the tag that Intl and <html> take. What draws first needs no more. */
export const TAGS = {
  en: "en",
  vn: "vi",
  th: "th",
  ja: "ja",
  ko: "ko",
  zh: "zh-Hans",
  zhTW: "zh-Hant-TW",
} as const

export type LanguageCode = keyof typeof TAGS

/** The tag of the language with this code; English for an unknown one. */
export const tagOf = (code: string): string => (TAGS as Record<string, string>)[code] ?? TAGS.en

/** What Intl takes for this tag; Thai keeps the Gregorian calendar. */
export const intlTagOf = (tag: string): string => (tag === "th" ? "th-u-ca-gregory" : tag)
