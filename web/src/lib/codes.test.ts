import { expect, it } from "vitest"
import { bareCode } from "./codes.ts"

it.each([
  ["123456", "123456"],
  [" 123 456 ", "123456"],
  ["123-456", "123456"],
  ["１２３４５６", "123456"],
  ["k7rt-xm29-qdhp", "k7rtxm29qdhp"],
])("the code %j is read as %s", (typed, code) => {
  expect(bareCode(typed)).toBe(code)
})
