import { expect, it, test } from "vitest"
import { intlTag, LANGUAGES, languageOf } from "./languages.ts"

test("the seven codes, tags and headers of the specification", () => {
  expect(LANGUAGES.map(({ code, tag, header }) => [code, tag, header])).toEqual([
    ["en", "en", "en"],
    ["vn", "vi", "vi"],
    ["th", "th", "th"],
    ["ja", "ja", "ja"],
    ["ko", "ko", "ko"],
    ["zh", "zh-Hans", "zh_CN"],
    ["zhTW", "zh-Hant-TW", "tw"],
  ])
})
it.each(LANGUAGES)("$code is a language that Intl knows, with years of our calendar", (language) => {
  const tag = intlTag(language)
  expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
  expect(new Intl.DateTimeFormat(tag, { year: "numeric" }).format(Date.UTC(2026, 5, 1))).toContain("2026")
})
test("an unknown language is English, every known one is itself", () => {
  expect(languageOf("xx").code).toBe("en")
  expect(LANGUAGES.map(({ code }) => languageOf(code).code)).toEqual(LANGUAGES.map(({ code }) => code))
})
