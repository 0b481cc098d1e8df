import { type LanguageCode, TAGS } from "./tags.ts"

/** The first of a browser's languages that is one of ours; nothing where none is. */
export function wantedLanguage(tags: readonly string[]): LanguageCode | undefined {
  const ours = Object.entries(TAGS) as [LanguageCode, string][]
  for (const tag of tags) {
    const found = ours.find(([, own]) => speech(own) === speech(tag))
    if (found) return found[0]
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
