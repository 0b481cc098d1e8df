import { expect, it } from "vitest"
import { digitsOf } from "./digits.ts"

it.each([
  ["1,200", 1200],
  ["1.234.567", 1234567],
  ["1.5", null],
  [",200", null],
  ["1,20", null],
  ["1.2345", null],
  ["5²", null],
  ["๑２٣", 123],
  ["1 2", 12],
  ["-1", null],
  ["1e3", null],
  ["", null],
  ["1234567890", null],
])("the whole number %j is %j", (text, value) => {
  expect(digitsOf(text)).toBe(value)
})
