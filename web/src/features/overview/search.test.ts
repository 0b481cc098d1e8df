import { expect, it, test } from "vitest"
import { validateCoin } from "./search.ts"

test("coin and filters are taken from the address", () => {
  const search = { coin: "KLS", type: "stake", from: "2026-11-01", to: "2026-11-21" }
  expect(validateCoin(search)).toEqual(search)
})

test("what isn't a sort or a day is left out", () => {
  expect(validateCoin({ type: "all", from: "2026-02-30", to: 5, more: "x" })).toEqual({})
})

it.each([
  ["kls", "KLS"],
  ["Points", "points"],
  ["BTC", "unknown"],
  ["", "unknown"],
])("the coin %j is %s", (word, coin) => {
  expect(validateCoin({ coin: word })).toEqual({ coin })
})
