import { expect, test } from "vitest"
import { dayName, dayRange, groupByDay, isDay } from "./days.ts"

const at = (day: number, hour: number, minute = 0, second = 0, ms = 0) =>
  new Date(2026, 10, day, hour, minute, second, ms).getTime()

test("rows fall into local days in their own order", () => {
  const rows = [at(21, 9), at(21, 0), at(20, 23, 59, 59, 999), at(18, 12)]
  const days = groupByDay(rows, (row) => row)
  expect(days.map(({ start, rows }) => [dayName(start), rows.length])).toEqual([
    ["2026-11-21", 2],
    ["2026-11-20", 1],
    ["2026-11-18", 1],
  ])
  expect(days.flatMap((day) => day.rows)).toEqual(rows)
})

test("an empty list has no days", () => {
  expect(groupByDay([], () => 0)).toEqual([])
})

test("a range covers whole local days and leaves open what isn't given", () => {
  expect(dayRange("2026-11-01", "2026-11-30")).toEqual({ start: at(1, 0), end: at(30, 23, 59, 59, 999) })
  expect(dayRange(undefined, "2026-11-30")).toEqual({ end: at(30, 23, 59, 59, 999) })
  expect(dayRange("2026-11-01", undefined)).toEqual({ start: at(1, 0) })
})

test.each([
  ["2026-11-21", true],
  ["2026-02-30", false],
  ["2026-2-3", false],
  ["yesterday", false],
])("%s is a day: %s", (text, expected) => {
  expect(isDay(text)).toBe(expected)
})
