import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { intlTag, LANGUAGES, type LanguageCode, languageOf } from "./languages.ts"
import {
  decimalSeparator,
  formatAmount,
  formatCount,
  formatPercent,
  formatShort,
  parseAmount,
} from "./money.ts"
import { setSettings } from "./settings.ts"
import { formatDateTime, formatDay, formatLocal, formatTime, formatUtc, zoneName } from "./time.ts"

const AT = new Date(2026, 10, 5, 21, 5, 9).getTime()
const THIRTY_DIGITS = "123456789012345678901234567890"

interface Expected {
  separator: string
  amount: string
  short: string[]
  day: string
  dateTime: string
}
const POINT = { separator: ".", amount: "1,234,567.12" }
const COUNTS = ["999", "12.35K", "1.23M"]
const EXPECTED: Record<LanguageCode, Expected> = {
  en: { ...POINT, short: COUNTS, day: "Nov 5, 2026", dateTime: "Nov 5, 2026, 21:05:09" },
  vn: {
    separator: ",",
    amount: "1.234.567,12",
    short: ["999", "12,35 N", "1,23 Tr"],
    day: "5 thg 11, 2026",
    dateTime: "21:05:09 5 thg 11, 2026",
  },
  th: { ...POINT, short: COUNTS, day: "5 พ.ย. 2026", dateTime: "5 พ.ย. 2026 21:05:09" },
  ja: { ...POINT, short: ["999", "1.23万", "123.46万"], day: "2026/11/05", dateTime: "2026/11/05 21:05:09" },
  ko: {
    ...POINT,
    short: ["999", "1.23만", "123.46만"],
    day: "2026. 11. 05.",
    dateTime: "2026. 11. 05. 21:05:09",
  },
  zh: {
    ...POINT,
    short: ["999", "1.23万", "123.46万"],
    day: "2026年11月5日",
    dateTime: "2026年11月5日 21:05:09",
  },
  zhTW: {
    ...POINT,
    short: ["999", "1.23萬", "123.46萬"],
    day: "2026/11/05",
    dateTime: "2026/11/05 21:05:09",
  },
}
/** Some releases of ICU put spaces of other widths. */
const plain = (text: string) => text.replace(/\s/g, " ")

describe.each(LANGUAGES.map(({ code }) => code))("in %s", (language) => {
  const expected = EXPECTED[language]
  beforeEach(() => setSettings({ language }))

  test("amounts and counts are grouped, never shortened", () => {
    expect(formatAmount("1234567.12")).toBe(expected.amount)
    expect(formatCount("1234567")).toBe(expected.amount.slice(0, -3))
    expect(decimalSeparator()).toBe(expected.separator)
    expect(formatPercent("0.975")).toBe(`97${expected.separator}5%`)
  })
  test("the smallest unit and thirty digits are written out", () => {
    expect(formatAmount("0.00000001")).toBe(`0${expected.separator}00000001`)
    expect(formatAmount(THIRTY_DIGITS, { least: 0 }).replace(/[.,]/g, "")).toBe(THIRTY_DIGITS)
  })
  test("volumes are short", () => {
    expect(["999", 12_346, "1234567.12"].map((value) => plain(formatShort(value)))).toEqual(expected.short)
  })
  test("dates are of our calendar, times of 24 hours with seconds", () => {
    expect([formatDay(AT), formatDateTime(AT), formatTime(AT)].map(plain)).toEqual([
      expected.day,
      expected.dateTime,
      "21:05:09",
    ])
    expect(formatTime(new Date(2026, 10, 5, 0, 5, 9).getTime())).toBe("00:05:09")
    expect(plain(formatUtc(Date.UTC(2026, 10, 5, 21, 5, 9)))).toBe(`${expected.dateTime} UTC`)
  })
  test("amounts are read as people type them, whatever the language", () => {
    const read = ["1,5", "1.5", "１．５", "๑.๕", "1。5"].map((text) => parseAmount(text))
    expect(read).toEqual(read.map(() => ({ value: "1.5" })))
    expect(parseAmount("0,00000001")).toEqual({ value: "0.00000001" })
    expect(parseAmount("1.234,5")).toEqual({ problem: "two_separators" })
    expect(parseAmount(THIRTY_DIGITS)).toEqual({ problem: "too_long" })
  })
  test("what is shown without groups is read back", () => {
    expect(parseAmount(formatAmount("999.5"))).toEqual({ value: "999.50" })
    expect(parseAmount(`12${decimalSeparator()}25`)).toEqual({ value: "12.25" })
  })
  test("plurals have the classes that its catalogues have", () => {
    const classes = language === "en" ? ["one", "other"] : ["other"]
    expect(new Intl.PluralRules(intlTag(languageOf(language))).resolvedOptions().pluralCategories).toEqual(
      classes,
    )
  })
})

test("a zone is named by how far it is from UTC", () => {
  expect([0, 480, 330, -210, -60].map(zoneName)).toEqual(["UTC", "UTC+8", "UTC+5:30", "UTC−3:30", "UTC−1"])
  expect(formatLocal(AT)).toBe(`${formatDateTime(AT)} ${zoneName(-new Date(AT).getTimezoneOffset())}`)
})

describe("on a device that crosses time zones", () => {
  const before = process.env.TZ
  const NOVEMBER = Date.UTC(2026, 10, 5, 21, 5, 9)
  const JULY = Date.UTC(2026, 6, 5, 21, 5, 9)
  beforeEach(() => setSettings({ language: "en" }))
  afterEach(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  test.each([
    ["Asia/Tokyo", "Nov 6, 2026, 06:05:09 UTC+9", "Jul 6, 2026"],
    ["Europe/Berlin", "Nov 5, 2026, 22:05:09 UTC+1", "Jul 5, 2026"],
    // The same hour as Berlin's in winter alone.
    ["Africa/Lagos", "Nov 5, 2026, 22:05:09 UTC+1", "Jul 5, 2026"],
    ["America/St_Johns", "Nov 5, 2026, 17:35:09 UTC−3:30", "Jul 5, 2026"],
  ])("dates are of the zone that it is in: %s", (zone, november, july) => {
    process.env.TZ = zone
    expect([formatLocal(NOVEMBER), formatDay(JULY)]).toEqual([november, july])
    expect(formatDateTime(JULY)).toBe(`${july}, ${formatTime(JULY)}`)
    expect(formatUtc(JULY)).toBe("Jul 5, 2026, 21:05:09 UTC")
  })
})
