import { expect, test } from "vitest"
import { validateTopUp } from "./search.ts"

test("tab and status are taken from the address", () => {
  expect(validateTopUp({ tab: "records", status: "refused" })).toEqual({ tab: "records", status: "refused" })
})

test("what can't be one of these is left out", () => {
  expect(validateTopUp({ tab: "send", status: "all", more: 1 })).toEqual({})
})
