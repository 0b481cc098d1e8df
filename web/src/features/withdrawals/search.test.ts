import { expect, test } from "vitest"
import { validateWithdraw } from "./search.ts"

test("part, coin, address and status are taken from the address", () => {
  const search = { tab: "records", coin: "KLS", wallet: "12", status: "refused" }
  expect(validateWithdraw(search)).toEqual(search)
  expect(validateWithdraw({ wallet: 12 })).toEqual({ wallet: "12" })
})

test("what can't be one of these is left out", () => {
  expect(validateWithdraw({ tab: "send", coin: "USA", wallet: "-1", status: "all", more: 1 })).toEqual({})
  expect(validateWithdraw({ wallet: 1.5 })).toEqual({})
})
