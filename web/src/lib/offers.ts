import { LANGUAGES, type Language } from "./languages.ts"

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
