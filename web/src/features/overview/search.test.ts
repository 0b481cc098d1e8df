import { expect, it, test } from "vitest"
import { validateAssets, validateCoin } from "./search.ts"

test("coin and filters are taken from the address", () => {
  const search = { coin: "KLS", type: "stake", span: "yesterday", from: "2026-11-01", to: "2026-11-21" }
  expect(validateCoin(search)).toEqual(search)
})

test("what isn't a sort, a span or a day is left out", () => {
  expect(validateCoin({ type: "all", span: "week", from: "2026-02-30", to: 5, more: "x" })).toEqual({})
})

it.each([
  ["kls", "KLS"],
  ["Points", "points"],
  ["BTC", "unknown"],
  ["", "unknown"],
])("the coin %j is %s", (word, coin) => {
  expect(validateCoin({ coin: word })).toEqual({ coin })
})

it.each([
  [
    { hide: "zero", q: "us" },
    { hide: "zero", q: "us" },
  ],
  [{ q: 10 }, { q: "10" }],
  [{ hide: true, q: "" }, {}],
])("of the assets' address %j counts %j", (raw, counts) => {
  expect(validateAssets(raw)).toEqual(counts)
})
