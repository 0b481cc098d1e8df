import { expect, it } from "vitest"
import { bareCode, passwordFits } from "./rules.ts"

it.each([
  ["123456", "123456"],
  [" 123 456 ", "123456"],
  ["123-456", "123456"],
  ["１２３４５６", "123456"],
])("the code %j is read as %s", (typed, code) => {
  expect(bareCode(typed)).toBe(code)
})

it.each([
  ["harbour7lights", true],
  ["abc12", false],
  ["a1".repeat(10), true],
  [`${"a1".repeat(10)}b`, false],
  ["abcdefgh", false],
  ["12345678", false],
  ["harbour 7", false],
  ["härbour7", false],
])("the password %j fits: %s", (password, fits) => {
  expect(passwordFits(password)).toBe(fits)
})
