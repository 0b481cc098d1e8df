import { useState } from "react"
import { expect, test } from "vitest"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { formatDateTime } from "../../lib/time.ts"
import { NOW, pass } from "../../testing/clock.ts"
import { addressThatWaits, stageWaiting } from "../../testing/waiting.ts"
import { AddressChoice } from "./AddressChoice.tsx"
import { keptDraft } from "./draft.ts"
import { FormFields } from "./FormFields.tsx"
import type { AddressShape, TermsAnswer } from "./queries.ts"

const WAIT = 90_000
const entry: AddressShape = addressThatWaits(WAIT)
const common = { fee_rate: "0.005", fee_asset: "KLS", daily_left: "100000.000000" }
const terms = {
  assets: [
    { coin_type: 1, asset: "USDT", available: "100.000000", minimum: "10", ...common },
    { coin_type: 2, asset: "KLS", available: "5.00000000", minimum: "20", ...common },
  ],
  addresses: [entry],
  price: "0.50000000",
  selling_price: "0.50500000",
  price_at: NOW,
  price_source: "ref_first",
  auto_max: "10000.000000",
  held_until: null,
  is_stopped: false,
} as unknown as TermsAnswer
const info = { out_password_set: true, google_bound: true, email: "a***e@example.com" } as InfoAnswer
const chains = [{ chain_id: 1, name: "Ethereum", protocol: "ERC-20" }] as never
const nothing = () => undefined
const { show } = stageWaiting()

function Typed({ way = info, wallet }: { way?: InfoAnswer; wallet?: string }) {
  const [typed, type] = useState<string>()
  const own = { ...terms, addresses: wallet === undefined ? [] : terms.addresses }
  return (
    <FormFields
      coin="USDT"
      terms={own}
      info={way}
      chains={chains}
      wallet={wallet}
      onWallet={nothing}
      typed={typed}
      onType={type}
    />
  )
}

test("where it goes says from when and in how long it can be used, until it can", async () => {
  const stage = await show(
    <AddressChoice entry={entry} network="Ethereum" none={false} draft={keptDraft("USDT", "")} />,
  )
  const said = `It can be used from ${formatDateTime(entry.usable_at)}, in 01:30.`
  expect(stage.text()).toContain(said)
  await pass(1000)
  expect(stage.text()).toContain("in 01:29.")
  await pass(WAIT - 2000)
  expect(stage.text()).toContain("in 00:01.")
  await pass(1000)
  expect(stage.text()).not.toContain("It can be used")
})

test("nothing is reviewed for an address that waits, and the button says why", async () => {
  const stage = await show(<Typed wallet="7" />, "/node4")
  await stage.type(stage.get("input", "Amount"), "20")
  const review = () => stage.get("button", "Review") as HTMLButtonElement
  expect([review().disabled, stage.text().includes("This address can't be used yet")]).toEqual([true, true])
  await pass(WAIT)
  expect([review().disabled, stage.text().includes("This address can't be used yet")]).toEqual([false, false])
})

test.each([
  ["First see to what stands at the top", { way: { ...info, out_password_set: false } }],
  ["Choose an address", {}],
  ["Type an amount", { wallet: "7" }],
])("a button that can't be pressed says what is missing: %s", async (said, given) => {
  const stage = await show(<Typed {...given} />, "/node4")
  await pass(WAIT)
  const button = stage.get("button", "Review")
  expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe(said)
})
