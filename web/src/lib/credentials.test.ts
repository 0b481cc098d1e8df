import { expect, it } from "vitest"
import { passwordFits } from "./credentials.ts"

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
