import { expect, test } from "vitest"
import { partsOf } from "./parts.ts"

const coin = (asset: string, value: string) => ({ asset, value, available: value, held: "0" })

test("the largest part stands first, and a coin worth nothing has none", () => {
  const list = [coin("USDT", "25.000000"), coin("KLS", "75.000000"), coin("BWC", "0.000000")]
  expect(partsOf({ total: "100.000000", list })).toEqual([
    { asset: "KLS", share: "0.75" },
    { asset: "USDT", share: "0.25" },
  ])
})

test("from the fifth on coins are one part", () => {
  const list = ["40", "30", "15", "10", "3", "2"].map((value, index) => coin(`C${index}`, value))
  const parts = partsOf({ total: "100", list })
  expect(parts).toHaveLength(5)
  expect(parts[4]).toEqual({ asset: null, share: "0.05" })
})
