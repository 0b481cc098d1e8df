import { expect, test } from "vitest"
import { wantedLanguage } from "./offers.ts"

test.each([
  ["vi-VN", "vn"],
  ["th", "th"],
  ["ja-JP", "ja"],
  ["ko-KR", "ko"],
  ["zh-CN", "zh"],
  ["zh-SG", "zh"],
  ["zh", "zh"],
  ["zh-TW", "zhTW"],
  ["zh-HK", "zhTW"],
  ["zh-Hant", "zhTW"],
  ["en-GB", "en"],
])("a browser that asks for %s wants %s", (tag, code) => {
  expect(wantedLanguage([tag])).toBe(code)
})

test("the first of its languages that is ours counts; none of ours is none", () => {
  expect(wantedLanguage(["fr-FR", "not a tag", "ko", "vi"])).toBe("ko")
  expect(wantedLanguage(["fr", "de"])).toBeUndefined()
  expect(wantedLanguage([])).toBeUndefined()
})
