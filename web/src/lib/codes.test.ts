import { expect, it } from "vitest"
import { bareCode } from "./codes.ts"

it.each([
  ["123456", "123456"],
  [" 123 456 ", "123456"],
  ["123-456", "123456"],
  ["１２３４５６", "123456"],
  ["๑๒๓ ๔๕๖", "123456"],
  ["\u0661\u0662\u0663\u06f4\u06f5\u06f6", "123456"],
  ["12345⁶", "12345⁶"],
  ["k7rt-xm29-qdhp", "k7rtxm29qdhp"],
])("the code %j is read as %s", (typed, code) => {
  expect(bareCode(typed)).toBe(code)
})
