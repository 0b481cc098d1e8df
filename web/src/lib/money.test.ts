import { describe, expect, it, test } from "vitest"
import { intlTag, LANGUAGES } from "./languages.ts"
import {
  decimalSeparator,
  decimalsOf,
  dropZeros,
  formatAmount,
  formatPercent,
  heights,
  parseAmount,
  share,
  times,
  tinyParts,
} from "./money.ts"
import { amountParts } from "./notation.ts"
import { setSettings } from "./settings.ts"

const THIRTY_DIGITS = "123456789012345678901234567890"

describe("amounts are written as Intl writes them", () => {
  const tags = [...LANGUAGES.map(intlTag), "de", "fr"]
  const values = ["0", "7", "-0.5", "999", "1000", "12345.60", "1234567.891", `${THIRTY_DIGITS}.12345678`]
  it.each(tags)("in %s", (tag) => {
    for (const value of values)
      for (const [least, most] of [
        [0, 0],
        [2, 2],
        [2, 8],
        [0, 3],
      ] as const) {
        const intl = new Intl.NumberFormat(tag, {
          minimumFractionDigits: least,
          maximumFractionDigits: most,
          roundingMode: "trunc",
          useGrouping: "always",
          signDisplay: "never",
        })
        const { whole, decimals } = amountParts(value, { least, most }, tag)
        expect(whole + decimals).toBe(intl.format(value as Intl.StringNumericLiteral))
      }
  })
})

describe("parseAmount", () => {
  it.each([
    ["1.5", "1.5"],
    ["1,5", "1.5"],
    ["１．５", "1.5"],
    ["１，５", "1.5"],
    ["๑.๕", "1.5"],
    ["1。5", "1.5"],
    [" 12 000 ", "12000"],
    ["1'000", "1000"],
    ["0.00000001", "0.00000001"],
    ["007", "7"],
    [".5", "0.5"],
    ["5,", "5"],
    ["999999999999999999.99999999", "999999999999999999.99999999"],
  ])("reads %s as %s", (text, value) => {
    expect(parseAmount(text)).toEqual({ value })
  })

  it.each([
    ["", "empty"],
    [" ", "empty"],
    [",", "empty"],
    ["1.234,5", "two_separators"],
    ["1,234.5", "two_separators"],
    ["1,234,567", "two_separators"],
    ["-1", "not_a_number"],
    ["+1", "not_a_number"],
    ["1e5", "not_a_number"],
    ["5²", "not_a_number"],
    ["5₂", "not_a_number"],
    ["0x10", "not_a_number"],
    ["NaN", "not_a_number"],
    ["½", "not_a_number"],
    ["0.000000001", "too_long"],
    [THIRTY_DIGITS, "too_long"],
  ])("refuses %j: %s", (text, problem) => {
    expect(parseAmount(text)).toEqual({ problem })
  })
})

test("what is finer than the asset is refused, needless zeros aside", () => {
  expect(parseAmount("0.1234567", 6)).toEqual({ problem: "too_fine" })
  expect(parseAmount("0.1234560", 6)).toEqual({ value: "0.1234560" })
  expect(parseAmount("5.0", 0)).toEqual({ value: "5.0" })
})

it.each([
  ["0.0000012345", "en", { head: "0.0", zeros: "5", digits: "1235" }],
  ["0.0000012345", "vi", { head: "0,0", zeros: "5", digits: "1235" }],
  ["-0.00001234", "en", { head: "\u22120.0", zeros: "4", digits: "1234" }],
  ["0.000012", "en", { head: "0.0", zeros: "4", digits: "12" }],
  ["0.0001234", "en", null],
  ["0.00009999999", "en", null],
  ["0", "en", null],
  ["12.00001", "en", null],
])("the price %s in %s is shortened as %j", (value, tag, parts) => {
  expect(tinyParts(value, tag)).toEqual(parts)
})

describe("formatAmount", () => {
  test("thirty digits stay thirty digits", () => {
    expect(formatAmount(THIRTY_DIGITS, { least: 0 }).replaceAll(",", "")).toBe(THIRTY_DIGITS)
  })
  test("what doesn't fit is cut, never rounded up", () => {
    expect(formatAmount("0.999999999", { most: 2 })).toBe("0.99")
    expect(formatAmount("-0.999", { most: 2 })).toBe("\u22120.99")
  })
  test("a sign stands where it is asked for, never before zero", () => {
    expect(formatAmount("5", { sign: true })).toBe("+5.00")
    expect(formatAmount("0.00", { sign: true })).toBe("0.00")
  })
  test("four digits are grouped too", () => {
    expect(formatAmount("1234", { least: 0 })).toBe("1,234")
  })
  test("the hero's parts fit together", () => {
    expect(amountParts("24816.402913")).toEqual({ sign: "", whole: "24,816", decimals: ".402913" })
  })
})

test("products are cut at the asset's scale", () => {
  expect(times("50", "1.95")).toBe("97.5")
  expect(times("0.00000001", "1.95")).toBe("0.00000001")
  expect(times("100000000000000000.00000001", "3")).toBe("300000000000000000.00000003")
})
test("zeros that mean nothing are dropped from the machine form", () => {
  expect([dropZeros("1234.500"), dropZeros("100"), dropZeros("1.000")]).toEqual(["1234.5", "100", "1"])
})
test("shares and percentages", () => {
  expect(share("1", "3")).toBe("0.333333")
  expect(share("1", "0")).toBe("0")
  expect([formatPercent("0.975"), formatPercent("0.5", 0)]).toEqual(["97.5%", "50%"])
})
test("a column has the decimals of its finest figure, and two at least", () => {
  expect(decimalsOf([])).toBe(2)
  expect(decimalsOf(["-20.500000", "19.475000", "5000.000000"])).toBe(3)
  expect(decimalsOf(["0.00000001", "2"])).toBe(8)
})
test.each(["en", "vi", "fr"])(
  "in %s the points of a column stand under each other, whatever its figures",
  (tag) => {
    const column = ["0.00000001", "-20.500000", "5000.000000", "123456789012.12345678", "2", "0.123456"]
    const least = decimalsOf(column)
    const behind = column
      .map((value) => formatAmount(value, { least }, tag))
      .map((text) => text.split(/[.,]/).at(-1))
    expect(new Set(behind.map((decimals) => decimals?.length))).toEqual(new Set([8]))
  },
)
test("heights for drawing lie between the lowest and the highest", () => {
  expect(heights(["1", "3", "2"])).toEqual([0, 1, 0.5])
  expect(heights(["2", "2"])).toEqual([0.5, 0.5])
})

describe("numbers written as the member chose", () => {
  it.each([
    ["language", "1,234.56"],
    ["1,234.5", "1,234.56"],
    ["1.234,5", "1.234,56"],
    ["1 234,5", "1\u202f234,56"],
  ] as const)("%s gives %s", (numbers, written) => {
    setSettings({ numbers })
    expect(formatAmount("1234.56")).toBe(written)
    expect(decimalSeparator()).toBe(written.at(-3))
    setSettings({ numbers: "language" })
  })
})
