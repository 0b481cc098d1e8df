import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../../testing/stage.tsx"
import HelpPage from "./HelpPage.tsx"

let stage: Stage
beforeEach(async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
  stage = await show(<HelpPage />, "/help?topic=games")
})
afterEach(async () => {
  await stage.leave()
  vi.unstubAllGlobals()
})

test("words are looked for in all topics, whichever the address names", async () => {
  expect(stage.text()).toContain("What is a void round?")
  expect(stage.text()).not.toContain("How do I withdraw?")
  await stage.type(stage.get("input[type=search]"), "withdraw")
  expect(stage.text()).toContain("How do I withdraw?")
  expect(stage.text()).not.toContain("What is a void round?")
})
