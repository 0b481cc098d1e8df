import { afterEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { PriceHistory } from "./PriceHistory.tsx"
import type { Price } from "./shapes.ts"

const AT = 1_795_075_231_456
const later = {
  id: "2",
  asset: "KLS",
  rate: "0.51000000",
  at: AT,
  staff: "olive",
  checker: "mike",
  reason: "It rose",
} as const satisfies Price
const first = { ...later, id: "1", rate: "0.50000000", staff: "root", checker: null, reason: "Opening" }
const listed = { problem: null, again: () => undefined, more: null, busy: false }
let stage: Stage
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
afterEach(() => stage.leave())

test("each price stands with who ordered and who signed it, when and why, in the order in which they came", async () => {
  stage = await show(<PriceHistory listed={{ ...listed, rows: [later, first] }} />)
  expect(stage.text()).toMatch(/KLS.*0\.51.*2026.*olive, mike.*It rose.*KLS.*0\.50.*2026.*root.*Opening/)
  expect(stage.text()).not.toContain("root,")
})

test("where nobody has ordered one it says so", async () => {
  stage = await show(<PriceHistory listed={{ ...listed, rows: [] }} />)
  expect(stage.text()).toContain("Nobody has ordered a price yet.")
})
