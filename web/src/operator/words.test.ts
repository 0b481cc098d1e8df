import { expect, it } from "vitest"
import {
  actOf,
  ageOf,
  detailOf,
  fieldText,
  grouped,
  percentOf,
  productOf,
  riskOf,
  sentenceOf,
  textOf,
  typeOf,
} from "./words.ts"

it.each([
  [-5, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [3_600, "1 h 0 min"],
  [7_265, "2 h 1 min"],
  [90_000, "1 d 1 h"],
])("%s seconds are %s", (seconds, text) => expect(ageOf(seconds)).toBe(text))

it("words that this build doesn't know are shown with spaces", () => {
  expect(riskOf("new_address")).toBe("The address is new")
  expect(riskOf("odd_hour")).toBe("Odd hour")
  expect([actOf("withdrawal.yes"), actOf("staff.long_leave")]).toEqual([
    "Approved a withdrawal",
    "Staff long leave",
  ])
})

it.each([
  [null, "—"],
  ["", "—"],
  [false, "no"],
  ["0.050", "0.050"],
  [{ room: { USDT: "3" } }, "Room: USDT: 3"],
  [{}, "—"],
])("%j reads %s", (value, text) => expect(textOf(value)).toBe(text))

it("a time is a date, a number elsewhere stays one", () => {
  expect(fieldText("made_at", 1_795_075_231_456)).toContain("2026")
  expect(fieldText("value", 1_795_075_231_456)).toBe("1795075231456")
})

it("a risk says when, or of how much", () => {
  expect(detailOf("new_address", "1795075231456")).toContain("2026")
  expect(detailOf("over_auto_max", "1000.000000")).toBe("1,000.00 USDT")
  expect(detailOf("young_address", "1795075231456")).toContain("2026")
  expect(detailOf("not_reviewed", "1")).toBe("")
  expect(detailOf("listed_address", "")).toBe("")
  expect(detailOf("listed_address", "0xab")).toBe("The member logs in by the wallet 0xab")
})

it.each([
  [null, "No."],
  [{ error: "wrong_state" }, "No."],
  [{ errors: [] }, "No."],
  [{ errors: [{ field: "body.rate", reason: "out_of_bounds" }] }, "Rate: outside its bounds"],
  [{ errors: [{ field: "bulletin", reason: "en: line 2 is HTML" }] }, "Bulletin: en: line 2 is HTML"],
  [
    {
      errors: [
        { field: "body", reason: "not_of_kind" },
        { field: "reason", reason: "too_odd" },
      ],
    },
    "This: isn't of the right form; Reason: isn't right (too odd)",
  ],
])("a refusal with %j says which field is wrong and why", (data, text) =>
  expect(sentenceOf("No.", data)).toBe(text),
)

it.each([
  [null, "—"],
  ["0.9750", "97.50%"],
  ["1.9500", "195.00%"],
  ["0.0000", "0.00%"],
])("a rate of %s is %s", (rate, text) => expect(percentOf(rate)).toBe(text))

it("products have names", () => {
  expect(productOf("fee_purchases")).toBe("KLS sold for fees")
  expect(productOf("spot_trades")).toBe("Spot trades")
})

it.each([
  ["43200", "43,200"],
  ["3600 to 86400", "3,600 to 86,400"],
  ["1000000.0001 to 5", "1,000,000.0001 to 5"],
  ["0.00001", "0.00001"],
  ["999", "999"],
])("%s reads %s", (text, read) => expect(grouped(text)).toBe(read))

it.each([
  [{ type: "whole", decimals: 0 }, "Whole number"],
  [{ type: "decimal", decimals: 8 }, "Decimal number with up to 8 decimals"],
  [{ type: "amount", decimals: 6 }, "Amount with up to 6 decimals"],
  [{ type: "list", decimals: 0 }, "Whole numbers"],
  [{ type: "switch", decimals: 0 }, "On or off"],
] as const)("%j reads %s", (setting, read) => expect(typeOf(setting)).toBe(read))
