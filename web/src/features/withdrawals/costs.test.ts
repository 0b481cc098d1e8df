import { expect, test } from "vitest"
import { minus, plus } from "../../lib/money.ts"
import { agreedOf, amountProblem, type CostTerms, costsOf, mostOf } from "./costs.ts"

const terms = (usdt: string, kls: string, more: Partial<CostTerms> = {}): CostTerms => {
  const common = { fee_rate: "0.005", fee_asset: "KLS", daily_left: "100000.000000" }
  return {
    assets: [
      { coin_type: 1, asset: "USDT", available: usdt, minimum: "10", ...common },
      { coin_type: 2, asset: "KLS", available: kls, minimum: "20", ...common },
    ],
    price: "0.50000000",
    selling_price: "0.50500000",
    auto_max: "10000.000000",
    ...more,
  }
}

test("the fee is a part of the value, in KLS at the price, rounded up", () => {
  expect(costsOf(terms("100", "5"), "USDT", "20")).toEqual({
    value: "20",
    fee: "0.2",
    feeValue: "0.1",
    missing: "0",
    purchase: "0",
  })
  expect(costsOf(terms("100", "5", { price: "0.30000000" }), "USDT", "10").fee).toBe("0.16666667")
  expect(costsOf(terms("100", "50"), "KLS", "20")).toMatchObject({ value: "10", fee: "0.1", missing: "0" })
})

test("what was shown is the most that is agreed to", () => {
  const costs = costsOf(terms("100", "0.05"), "USDT", "20")
  expect(agreedOf(costs, true)).toEqual({ most_fee: "0.2", most_purchase: "0.07575" })
  expect(agreedOf(costs, false)).toEqual({ most_fee: "0.2", most_purchase: "0" })
})

test("what lacks of the fee is bought, no more", () => {
  expect(costsOf(terms("100", "0.05"), "USDT", "20")).toMatchObject({ missing: "0.15", purchase: "0.07575" })
  expect(costsOf(terms("100", "20.05"), "KLS", "20")).toMatchObject({ missing: "0.05", purchase: "0.02525" })
  // The amount itself is never bought.
  expect(costsOf(terms("100", "10"), "KLS", "20").missing).toBe("0.1")
})

test.each([
  ["9.999999", "USDT", false, "below_minimum"],
  ["10", "USDT", false, null],
  ["100.000001", "USDT", false, "over_balance"],
  ["19.99999999", "KLS", false, "below_minimum"],
  ["50.00000001", "KLS", false, "over_balance"],
  ["50", "KLS", false, "fee_short"],
  ["50", "KLS", true, null],
] as const)("%s %s with a purchase %s is %s", (amount, coin, buysFee, problem) => {
  expect(amountProblem(terms("100", "50"), coin, amount, buysFee)).toBe(problem)
})

test("without KLS the fee is short, with a purchase the last USDT may be", () => {
  expect(amountProblem(terms("100", "0"), "USDT", "100", false)).toBe("fee_short")
  expect(amountProblem(terms("100", "0"), "USDT", "100", true)).toBe("purchase_short")
  expect(amountProblem(terms("100", "0"), "USDT", "99", true)).toBe(null)
})

test("the day's room is a value", () => {
  const little = terms("500", "500")
  for (const means of little.assets) means.daily_left = "30"
  expect(amountProblem(little, "USDT", "30.000001", false)).toBe("over_room")
  expect(amountProblem(little, "KLS", "60.00000001", false)).toBe("over_room")
  expect([mostOf(little, "USDT", false), mostOf(little, "KLS", false)]).toEqual(["30", "60"])
})

test.each([
  ["100", "0", "USDT", "0.000001"],
  ["12345.678901", "0.33", "USDT", "0.000001"],
  ["100", "50", "KLS", "0.00000001"],
] as const)("of %s USDT and %s KLS the most in %s fits, and a unit more doesn't", (usdt, kls, coin, unit) => {
  const buysFee = coin === "USDT"
  const own = terms(usdt, kls)
  const most = mostOf(own, coin, buysFee)
  expect(amountProblem(own, coin, most, buysFee)).toBe(null)
  // Roundings of three figures: a few units at the most.
  expect(amountProblem(own, coin, plus(most, `${unit.slice(0, -1)}4`), buysFee)).not.toBe(null)
})

test("everything goes where the fee is there", () => {
  expect(mostOf(terms("100", "5"), "USDT", false)).toBe("100")
  expect(mostOf(terms("100", "0"), "USDT", false)).toBe("100")
  expect(mostOf(terms("0", "0"), "KLS", false)).toBe("0")
  expect(minus("50", mostOf(terms("100", "50"), "KLS", false))).toBe("0.24875622")
})
