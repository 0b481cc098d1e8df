import { expect, test } from "vitest"
import { gain, half, highestStake, payout, stakeProblem } from "./payout.ts"

test.each([
  ["50", "1.95", "USDT", "97.5"],
  ["1", "1.95", "USDT", "1.95"],
  ["0.000001", "1.95", "USDT", "0.000001"],
  ["10.000001", "1.95", "USDT", "19.500001"],
  ["0.00000001", "1.95", "KLS", "0.00000001"],
  ["2.00000003", "1.95", "KLS", "3.90000005"],
  ["999999999999999999.999999", "1.95", "USDT", "1949999999999999999.999998"],
])("a stake of %s at %s pays %s exactly %s", (stake, multiple, asset, expected) => {
  expect(payout(stake, multiple, asset)).toBe(expected)
})

test("the highest stake is the lowest of all limits and never below zero", () => {
  expect(highestStake(["100.50", "80", undefined])).toBe("80")
  expect(highestStake(["100.50", "800"])).toBe("100.5")
  expect(highestStake(["-3", "80"])).toBe("0")
  expect(highestStake([])).toBe("0")
})

test("half is cut to hundredths", () => {
  expect(half("100")).toBe("50")
  expect(half("33.33")).toBe("16.66")
})

test("a stake is held against minimum, balance, maximum and room in that order", () => {
  const limits = { minimum: "1", maximum: "500", room: "200", available: "100" }
  expect(stakeProblem("0.5", limits)).toBe("below_minimum")
  expect(stakeProblem("100.000001", limits)).toBe("over_balance")
  expect(stakeProblem("600", { ...limits, available: "1000" })).toBe("above_maximum")
  expect(stakeProblem("300", { ...limits, available: "1000" })).toBe("over_room")
  expect(stakeProblem("100", limits)).toBeNull()
})

test("a gain carries its sign", () => {
  expect(gain("97.5", "50")).toBe("47.5")
  expect(gain("0", "50")).toBe("-50")
})
