import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { DepositAddress } from "../../lib/api.gen.ts"
import { callQuery, queryClient } from "../../lib/queries.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { until } from "../../testing/until.ts"
import { OwnAddress } from "./OwnAddress.tsx"

const given = {
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  asset: "USDT",
  protocol: "ERC-20",
  chain_id: 1,
  contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  minimum: "10.000000",
  confirmations: 3,
  delayed: false,
} as unknown as DepositAddress
let stage: Stage
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
beforeEach(() => queryClient.setQueryData(callQuery("/api/recharge/index", {}).queryKey, given))
afterEach(() => stage.leave())

test("who tops up reads that a withdrawal costs a fee in KLS", async () => {
  stage = await show(<OwnAddress onSent={() => undefined} />)
  expect(stage.text()).toContain("A withdrawal later costs a fee, which is paid in KLS.")
})

test("before the address stands what is lost if it is sent to it", async () => {
  stage = await show(<OwnAddress onSent={() => undefined} />)
  const warning = stage.text().indexOf("Send only USDT on ERC-20.")
  expect(warning).toBeGreaterThanOrEqual(0)
  expect(stage.text().indexOf("0x")).toBeGreaterThan(warning)
})

test("one button copies the address", async () => {
  stage = await show(<OwnAddress onSent={() => undefined} />)
  const copies = [...document.querySelectorAll("button")].map(
    (button) => button.getAttribute("aria-label") ?? button.textContent,
  )
  expect(copies.filter((name) => name?.startsWith("Copy"))).toEqual(["Copy", "Copy the contract's address"])
})

const WAITS = "Top-ups show later than usual: the chain's nodes don't agree, or show no new block."

test("who tops up reads that it shows later while the chain isn't followed, and only then", async () => {
  queryClient.setQueryData(callQuery("/api/recharge/index", {}).queryKey, { ...given, delayed: true })
  stage = await show(<OwnAddress onSent={() => undefined} />)
  expect(stage.text()).toContain(`${WAITS} Nothing is lost, and it goes on by itself.`)
  // The address stays: what is sent to it arrives.
  expect(stage.get("[data-address]").dataset.address).toBe(given.address)
  queryClient.setQueryData(callQuery("/api/recharge/index", {}).queryKey, given)
  await until(() => !stage.text().includes(WAITS))
})

test("where the address can't be had there is none, and a way to people", async () => {
  queryClient.clear()
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("no server")
  })
  stage = await show(<OwnAddress onSent={() => undefined} />)
  expect(stage.count('a[href^="/me3"]')).toBe(0)
  await until(() => stage.count('a[href="/me3?view=service"]') === 1)
  expect([stage.count("[data-address]"), stage.count("canvas, svg[role=img]")]).toEqual([0, 0])
})
