/** The seven languages of the product: the code we store, the language tag that Intl and <html> take, the `lang` header. */
export interface Language {
  code: LanguageCode
  tag: string
  header: string
  /** Its own name, in its own script. */
  name: string
  /** How it writes the month within a date. */
  month: "short" | "2-digit"
}

export type LanguageCode = "en" | "vn" | "th" | "ja" | "ko" | "zh" | "zhTW"

export const LANGUAGES: readonly Language[] = [
  { code: "en", tag: "en", header: "en", name: "English", month: "short" },
  {
    code: "vn",
    tag: "vi",
    header: "vi",
    name: "Tiếng Việt",
    month: "short",
  },
  { code: "th", tag: "th", header: "th", name: "ไทย", month: "short" },
  { code: "ja", tag: "ja", header: "ja", name: "日本語", month: "2-digit" },
  {
    code: "ko",
    tag: "ko",
    header: "ko",
    name: "한국어",
    month: "2-digit",
  },
  {
    code: "zh",
    tag: "zh-Hans",
    header: "zh_CN",
    name: "简体中文",
    month: "short",
  },
  {
    code: "zhTW",
    tag: "zh-Hant-TW",
    header: "tw",
    name: "繁體中文",
    month: "2-digit",
  },
]

const ENGLISH = LANGUAGES[0] as Language

/** The language with this code; English for an unknown one. */
export function languageOf(code: string): Language {
  return LANGUAGES.find((language) => language.code === code) ?? ENGLISH
}

/** What Intl takes for this language; Thai keeps the Gregorian calendar. */
export function intlTag(language: Language): string {
  return language.tag === "th" ? "th-u-ca-gregory" : language.tag
}
