import { describe, expect, it, test } from "vitest"
import { grouped, shortened } from "./Address.tsx"
import { windowStart } from "./HashRibbon.tsx"
import { press } from "./pressing.ts"

describe("the keypad", () => {
  const type = (keys: string[], decimals = 2, text = "") =>
    keys.reduce((now, key) => press(now, key, { decimals }).text, text)
  it.each([
    [["1", "2", ".", "5"], "12.5"],
    [["1", ",", "5"], "1,5"],
    [[".", "5"], "0.5"],
    [["0", "7"], "7"],
    [["1", ".", ".", "2"], "1.2"],
    [["1", ".", "2", "3", "4"], "1.23"],
    [["1", "2", "erase"], "1"],
    [["erase"], ""],
  ])("%j makes %j", (keys, text) => {
    expect(type(keys)).toBe(text)
  })
  test("stops at twenty characters", () => {
    expect(type(Array.from({ length: 40 }, () => "9"))).toHaveLength(20)
  })
})

test("an address is whole in its groups, and only lists shorten it", () => {
  const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  expect(grouped(address).join("")).toBe(address)
  expect(grouped(address).slice(0, 3)).toEqual(["0x", "5FbD", "B231"])
  expect(shortened(address)).toBe("0x5FbD…180aa3")
})

test("the ribbon shows the end of the hash, and always the deciding digit", () => {
  expect(windowStart(64, 63, 13)).toBe(51)
  expect(windowStart(64, 51, 13)).toBe(50)
  expect(windowStart(64, 0, 13)).toBe(0)
  for (let index = 0; index < 64; index++) {
    const from = windowStart(64, index, 13)
    expect(index >= from && index < from + 13).toBe(true)
  }
})
