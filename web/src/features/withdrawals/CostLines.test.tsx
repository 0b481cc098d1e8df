import { afterEach, expect, test } from "vitest"
import { setSettings } from "../../lib/settings.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { CostLines } from "./CostLines.tsx"
import { costsOf } from "./costs.ts"
import type { TermsAnswer } from "./queries.ts"

const means = { minimum: "1", daily_left: "1000000", fee_rate: "0.0025" }
const terms = {
  assets: [
    { ...means, asset: "USDT", available: "1234.5" },
    { ...means, asset: "KLS", available: "7.25" },
  ],
  price: "0.5",
  selling_price: "0.6",
  price_at: Date.UTC(2026, 10, 27),
} as unknown as TermsAnswer

let stage: Stage
afterEach(async () => {
  await stage.leave()
  setSettings({ hide: false })
})

const shown = async (coin: "USDT" | "KLS", limits: boolean) => {
  const costs = costsOf(terms, coin, "100")
  stage = await show(
    <CostLines coin={coin} amount="100" costs={costs} terms={terms} buysFee={false} limits={limits} />,
  )
  return stage.text()
}

test("the fee stands with its rate and beside the KLS that may pay it", async () => {
  const text = await shown("USDT", true)
  expect(text).toContain("Fee, 0.25% in KLS")
  expect(text).toMatch(/Your KLS\s*7\.25/)
})

test("whoever buys KLS for the fee reads that a withdrawal which comes back doesn't undo it", async () => {
  const stays = "stays bought if the withdrawal comes back"
  const costs = costsOf(terms, "USDT", "10000")
  const lines = <CostLines coin="USDT" amount="10000" costs={costs} terms={terms} buysFee />
  stage = await show(lines)
  expect(stage.text()).toContain(stays)
  await stage.leave()
  expect(await shown("USDT", true)).not.toContain(stays)
})

test("of KLS the form shows what there is already, and the review needs it no more", async () => {
  expect(await shown("KLS", true)).not.toContain("Your KLS")
  await stage.leave()
  expect(await shown("USDT", false)).not.toContain("Your KLS")
})
