import { afterEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../../testing/stage.tsx"
import { type Course, Progress } from "./Progress.tsx"

const AT = 1_763_740_800_000
const row = (more: Partial<Course>): Course => ({
  status: "on_chain_processing",
  reason: null,
  risks: [],
  needed: 0,
  confirmations: 0,
  required: 3,
  requested_at: AT,
  changed_at: AT,
  ...more,
})
let stage: Stage
const steps = () => [...document.querySelectorAll("li")].map((step) => step.textContent)
const present = () => document.querySelector("[aria-current=step]")?.textContent
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))

afterEach(() => stage.leave())

test("one that people look at says how many and why", async () => {
  const risks = [{ reason: "over_auto_max" as const, detail: "10000.000000" }]
  stage = await show(<Progress row={row({ status: "pending_review", needed: 2, risks })} />)
  expect(present()).toBe("2 people look at itIt is worth more than 10,000 USDT.")
  expect(steps()).toHaveLength(4)
})

test("one whose address is too new to be paid to says until when", async () => {
  const risks = [{ reason: "young_address" as const, detail: String(AT) }]
  stage = await show(<Progress row={row({ status: "pending_review", needed: 1, risks })} />)
  expect(present()).toMatch(/^1 person looks at it.*The address is new in your book until .*2025/)
})

test("one that nobody looks at goes to the chain at once", async () => {
  stage = await show(<Progress row={row({})} />)
  expect([steps().length, present()]).toEqual([3, "On the chain0 of 3 confirmations"])
})

test("a refused one says why, and that all of it was given back", async () => {
  stage = await show(<Progress row={row({ status: "refused", needed: 1, reason: "Unknown payee" })} />)
  expect(steps()[1]).toBe("RefusedUnknown payee")
  expect(steps()[2]).toContain("Given back")
  expect([steps().length, present()]).toEqual([3, undefined])
})

test("a failed one was given back too, one that arrived was not", async () => {
  stage = await show(<Progress row={row({ status: "failed" })} />)
  expect(steps().slice(1).join()).toMatch(/^Failed on the chain,Given back/)
  await stage.leave()
  stage = await show(<Progress row={row({ status: "approved", confirmations: 3 })} />)
  expect(steps().slice(1).join()).toMatch(/^On the chain3 of 3 confirmations,Arrived/)
})
