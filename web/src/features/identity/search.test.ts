import { expect, it } from "vitest"
import { validateRegister } from "./search.ts"

it.each([
  ["FRIEND7", "FRIEND7"],
  [123456, "123456"],
  [" FRIEND7 ", "FRIEND7"],
  ["A".repeat(40), "A".repeat(32)],
  ["", undefined],
  [" ", undefined],
  [undefined, undefined],
])("an invitation link with the code %j brings %j", (code, brought) => {
  expect(validateRegister({ code }).code).toBe(brought)
})
