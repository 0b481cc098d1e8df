import { expect, test } from "vitest"
import { groupByDay } from "./byDay.ts"
import { dayName, isDay } from "./day.ts"
import { dayProblem, dayRange } from "./days.ts"
import { typedDay } from "./typedDay.ts"

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

test("a typed day is one that exists, with or without its zeros", () => {
  expect(["2026-2-5", "2026-02-05", "2026-2-30", "2026--5", "26-2-5", ""].map(typedDay)).toEqual([
    "2026-02-05",
    "2026-02-05",
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  ["", null],
  ["2026-2-1", null],
  ["2026-2-28", null],
  ["2026-1-31", "early"],
  ["2026-3-1", "late"],
  ["2026-2-29", "unknown"],
  ["2026-2-", "incomplete"],
  ["202-2-3", "incomplete"],
] as const)("between the first and the last of February %j is %s", (text, problem) => {
  expect(dayProblem(text, { min: "2026-02-01", max: "2026-02-28" })).toBe(problem)
})
