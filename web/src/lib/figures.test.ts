import { afterEach, expect, test } from "vitest"
import { withFigures } from "./figures.ts"
import { setSettings } from "./settings.ts"

const SENTENCE =
  "1, 3, 5 are odd. It pays 1.95 times; 97.5 % come back, 2.125 % and 2 % are kept for 5 minutes."

afterEach(() => setSettings({ language: "en", numbers: "language" }))

test("rates in a sentence are written as the device writes numbers, and other figures stay", () => {
  const english = "1, 3, 5 are odd. It pays 1.95 times; 97.5% come back, 2.13% and 2% are kept for 5 minutes."
  const comma = "1, 3, 5 are odd. It pays 1,95 times; 97,5% come back, 2,13% and 2% are kept for 5 minutes."
  expect(withFigures(SENTENCE)).toBe(english)
  setSettings({ language: "vn" })
  expect(withFigures(SENTENCE)).toBe(comma)
  setSettings({ language: "en", numbers: "1.234,5" })
  expect(withFigures(SENTENCE)).toBe(comma)
})

test("a sentence without blanks keeps all but its rates", () => {
  setSettings({ language: "ja" })
  const said = "1、3、5、7、9 は奇数です。1.95 倍、平均して 97.5 % が戻ります。"
  expect(withFigures(said)).toBe("1、3、5、7、9 は奇数です。1.95 倍、平均して 97.5% が戻ります。")
})
