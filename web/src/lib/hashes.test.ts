import { expect, it } from "vitest"
import { decidingDigit } from "./hashes.ts"

it.each([
  ["0xabc7", { digit: 7, index: 3 }],
  ["0x1abc", { digit: 1, index: 0 }],
  ["c4af0e1bd2f7c", { digit: 7, index: 11 }],
  ["0x0", { digit: 0, index: 0 }],
  ["0xabcdef", null],
  ["", null],
])("the last digit of %s decides", (hash, digit) => {
  expect(decidingDigit(hash)).toEqual(digit)
})
