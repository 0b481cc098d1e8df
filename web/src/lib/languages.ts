import { intlTagOf, type LanguageCode, TAGS } from "./tags.ts"

export type { LanguageCode }

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

export const LANGUAGES: readonly Language[] = [
  { code: "en", tag: TAGS.en, header: "en", name: "English", month: "short" },
  {
    code: "vn",
    tag: TAGS.vn,
    header: "vi",
    name: "Tiếng Việt",
    month: "short",
  },
  { code: "th", tag: TAGS.th, header: "th", name: "ไทย", month: "short" },
  { code: "ja", tag: TAGS.ja, header: "ja", name: "日本語", month: "2-digit" },
  {
    code: "ko",
    tag: TAGS.ko,
    header: "ko",
    name: "한국어",
    month: "2-digit",
  },
  {
    code: "zh",
    tag: TAGS.zh,
    header: "zh_CN",
    name: "简体中文",
    month: "short",
  },
  {
    code: "zhTW",
    tag: TAGS.zhTW,
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

/** What Intl takes for this language. */
export const intlTag = (language: Language): string => intlTagOf(language.tag)
