import { describe, expect, it, test } from "vitest"
import { daysLater, monthsLater } from "./ends.ts"
import { effectOf, usedShare } from "./limits.ts"

const own = (amount: string | null, next_from: number | null = null) => ({
  amount,
  used: "0.000000",
  next_amount: null,
  next_from,
})

describe("what a wanted limit does", () => {
  it.each([
    [null, "50", "now"],
    [null, null, "none"],
    ["50.000000", "49.999999", "now"],
    ["50.000000", "0", "now"],
    ["50.000000", "50", "none"],
    ["50.000000", "50.000001", "later"],
    ["50.000000", null, "later"],
    ["9.000000", "10", "later"],
  ] as const)("from %s to %s: %s", (amount, wanted, effect) => {
    expect(effectOf(own(amount), wanted)).toBe(effect)
  })
  test("the present one takes back what waits", () => {
    expect(effectOf(own("50.000000", 1), "50")).toBe("now")
  })
})

test.each([
  ["0.000000", "50.000000", "0"],
  ["12.500000", "50.000000", "0.25"],
  ["60.000000", "50.000000", "1"],
  ["0.000000", "0.000000", "1"],
])("of %s used of %s the bar shows %s", (used, amount, part) => {
  expect(usedShare(used, amount)).toBe(part)
})

// What the server's months_later makes of the same moments.
test.each([
  ["2026-08-31T15:59:59Z", 6, "2027-02-28T15:59:59Z"],
  ["2026-08-31T16:00:00Z", 6, "2027-02-28T16:00:00Z"],
  ["2027-08-30T20:00:00Z", 6, "2028-02-28T20:00:00Z"],
  ["2026-11-22T04:05:06Z", 12, "2027-11-22T04:05:06Z"],
  ["2028-02-28T16:30:00Z", 12, "2029-02-27T16:30:00Z"],
  ["2026-12-31T16:00:00Z", 24, "2028-12-31T16:00:00Z"],
])("%s and %i months end at %s", (from, months, end) => {
  expect(new Date(monthsLater(Date.parse(from), months)).toISOString()).toBe(end.replace("Z", ".000Z"))
})

test("days are days of 24 hours", () => {
  expect(daysLater(5, 90)).toBe(5 + 90 * 86_400_000)
})
