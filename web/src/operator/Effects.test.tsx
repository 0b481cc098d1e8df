import { afterEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { Effects } from "./Effects.tsx"

const effect = {
  verdict: "no",
  account: "10000001",
  place: "held",
  asset: "USDT",
  before: "120.000000",
  after: "20.000000",
} as const
const paid = { ...effect, verdict: "yes", account: "", place: "fees", asset: "KLS" } as const
let stage: Stage
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
afterEach(() => stage.leave())

test.each([
  ["no", /afterwards10000001, held120\.00.*becomes20\.00.*USDT$/],
  ["yes", /once it is paidHouse, fees120\.00.*becomes20\.00.*KLS$/],
  ["refuse", /No balance changes\.$/],
] as const)(
  "of %s the balances are shown, before and after, and of no other answer",
  async (verdict, text) => {
    stage = await show(<Effects of={[effect, paid]} verdict={verdict} />)
    expect(stage.text().trim()).toMatch(text)
  },
)
