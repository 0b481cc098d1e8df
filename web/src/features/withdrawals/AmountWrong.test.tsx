import { afterEach, expect, test } from "vitest"
import { setSettings } from "../../lib/settings.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { AmountWrong } from "./AmountWrong.tsx"
import { type CostTerms, costsOf } from "./costs.ts"

const means = { minimum: "1", daily_left: "1000000", fee_rate: "0.001", available: "0" }
const terms = {
  assets: [
    { ...means, asset: "USDT", available: "1234.5" },
    { ...means, asset: "KLS", available: "7.25" },
  ],
  price: "0.5",
  selling_price: "0.6",
  auto_max: "100",
} as unknown as CostTerms

let stage: Stage
afterEach(async () => {
  await stage.leave()
  setSettings({ hide: false })
})

const shown = async (problem: "over_balance" | "purchase_short", coin: "USDT" | "KLS", amount: string) => {
  const costs = costsOf(terms, coin, amount)
  stage = await show(<AmountWrong problem={problem} coin={coin} terms={terms} costs={costs} />)
  return stage.text()
}

test("whoever asks for more than there is reads how much there is", async () => {
  expect(await shown("over_balance", "USDT", "2000")).toBe("You have 1,234.50 USDT available.")
  await stage.leave()
  expect(await shown("over_balance", "KLS", "8")).toBe("You have 7.25 KLS available.")
})

test("where the fee's KLS are what goes beyond it, with the fee's price", async () => {
  const { purchase } = costsOf(terms, "USDT", "1234.5")
  const said = `The fee takes ${purchase} USDT as well. You have 1,234.50 USDT available.`
  expect(await shown("purchase_short", "USDT", "1234.5")).toBe(said)
})

test("a hidden balance stays hidden", async () => {
  setSettings({ hide: true })
  expect(await shown("over_balance", "USDT", "2000")).not.toContain("1,234")
})
