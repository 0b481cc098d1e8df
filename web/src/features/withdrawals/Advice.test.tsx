import { afterEach, expect, test, vi } from "vitest"
import { Refusal } from "../../lib/api.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { Advice } from "./Advice.tsx"

let stage: Stage
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
afterEach(() => stage.leave())

test("whoever withdraws to an address of the house hears what to choose instead, and that nothing moved", async () => {
  stage = await show(<Advice problem={new Refusal(422, "Not here.", { error: "house_address" })} />)
  expect(stage.text()).toMatch(/address of your own wallet.*choose that one\. Nothing was moved\./)
})

test("where the house has too little KLS to sell, how much is left is said, and to use one's own", async () => {
  const room = { asset: "KLS", room: { KLS: "1250.5" } }
  stage = await show(<Advice problem={new Refusal(422, "Too much.", { error: "limit_reached", ...room })} />)
  expect(stage.text()).toContain(
    "The house has only 1,250.5 KLS left to sell. Use KLS of your own for the fee.",
  )
})

test("a refusal that says it all gets no advice", async () => {
  stage = await show(<Advice problem={new Refusal(403, "No.", { error: "forbidden" })} />)
  expect(stage.text().trim()).toBe("")
})
