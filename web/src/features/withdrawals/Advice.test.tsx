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

test("a refusal that says it all gets no advice", async () => {
  stage = await show(<Advice problem={new Refusal(403, "No.", { error: "forbidden" })} />)
  expect(stage.text().trim()).toBe("")
})
