import { expect, test } from "vitest"
import { withBalances } from "./account.ts"
import type { InfoAnswer } from "./api.gen.ts"

const USDT = { asset: "USDT", available: "10", held: "0" }
const KLS = { asset: "KLS", available: "5", held: "1" }
const INFO = { account: "10000001", balances: [USDT, KLS] } as InfoAnswer

test("a pushed balance takes the place of the old one and leaves the others", () => {
  const newer = { asset: "USDT", available: "7.5", held: "2.5" }
  expect(withBalances(INFO, [newer]).balances).toEqual([newer, KLS])
})

test("a coin that comes for the first time is added", () => {
  expect(withBalances({ ...INFO, balances: [USDT] }, [KLS]).balances).toEqual([USDT, KLS])
})
