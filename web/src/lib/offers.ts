import { LANGUAGES, type Language, type LanguageCode } from "./languages.ts"

/** What offers a language to a visitor, said in it: none of its texts are loaded yet. */
export const OFFERS: Readonly<Record<Exclude<LanguageCode, "en">, string>> = {
  vn: "Dùng Kalos bằng tiếng Việt",
  th: "ใช้ Kalos เป็นภาษาไทย",
  ja: "Kalos を日本語で使う",
  ko: "Kalos를 한국어로 사용하기",
  zh: "使用简体中文版 Kalos",
  zhTW: "使用繁體中文版 Kalos",
}

/** The first of a browser's languages that is one of ours; nothing where none is. */
export function wantedLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const found = LANGUAGES.find((language) => speech(language.tag) === speech(tag))
    if (found) return found
  }
  return undefined
}

/** A language with its script: "zh-HK" is "zh Hant", "en-GB" is "en Latn". */
function speech(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language} ${script}`
  } catch {
    return ""
  }
}
