import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import type { ChainShape } from "../../lib/api.gen.ts"
import { queryClient } from "../../lib/queries.ts"
import { startSession } from "../../lib/session.ts"
import { startTexts } from "../../lib/texts.ts"
import type { Wallet } from "../../lib/wallet.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { AddAddress } from "./AddAddress.tsx"
import { RemoveWallet } from "./RemoveWallet.tsx"
import { SignToBind } from "./SignToBind.tsx"

const ADDRESS = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
const SIX = "The code has six digits"
const chain = { chain_id: 1, name: "Ethereum", protocol: "ERC-20" } as unknown as ChainShape
const wallet = { provider: { request: async () => `0x${"1b".repeat(65)}` } } as unknown as Wallet
let stage: Stage
const nothing = () => undefined

const codeField = () => stage.get("input", "Code from the authenticator")
const sheet = () => stage.router.state.location.state.sheet

/** The button is alive: without a code it says so at the field; with one the slide comes. */
async function expectToBeTold(name: string) {
  const button = stage.get("button", name)
  expect([button.hasAttribute("disabled"), stage.text().includes(SIX)]).toEqual([false, false])
  await stage.press(button)
  await until(() => stage.text().includes(SIX))
  expect([codeField().getAttribute("aria-invalid"), sheet()]).toEqual(["true", undefined])
  await stage.type(codeField(), "492039")
  expect(stage.text()).not.toContain(SIX)
  await stage.press(button)
  await until(() => sheet() === "slide")
}

beforeAll(startTexts)
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
  answerWith(() => done({ email: "a@example.com", google_bound: true }))
  sessionStorage.clear()
  startSession("a")
})
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("removing a wallet", async () => {
  const bound = { address: ADDRESS, bound_at: 0 } as never
  stage = await show(<RemoveWallet wallet={bound} onDone={nothing} />)
  await until(() => stage.count("input") === 1)
  await expectToBeTold("Remove the wallet")
})

test("binding a wallet", async () => {
  const asked = { wallet, address: ADDRESS, nonce: "n", message: "I log in" }
  stage = await show(<SignToBind asked={asked} onDone={nothing} onAgain={nothing} />)
  await stage.press(stage.get("button", "Sign in the wallet"))
  await until(() => stage.count("input") === 1)
  await expectToBeTold("Bind this wallet")
})

test("adding an address", async () => {
  stage = await show(<AddAddress chain={chain} waitHours={0} known={[]} onDone={nothing} />)
  await until(() => stage.count("input") === 4)
  await stage.type(stage.get("input", "Address"), ADDRESS)
  await stage.type(stage.get("input", "Name for it"), "My wallet")
  await stage.type(stage.get("input", "Withdrawal password"), "246810")
  await expectToBeTold("Add this address")
})
