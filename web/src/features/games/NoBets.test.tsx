import { afterEach, expect, test } from "vitest"
import { type Stage, show } from "../../testing/stage.tsx"
import { NoBets } from "./NoBets.tsx"

let stage: Stage
afterEach(() => stage.leave())

test.each([
  ["chain", /nodes don't agree/],
  ["clock", /clocks that say when a round closes differ/],
] as const)("a game that takes no bets because of the %s says so and that it ends", async (why, said) => {
  stage = await show(<NoBets closed={why} />)
  expect(stage.text()).toMatch(said)
  expect(stage.text()).toMatch(/by itself/)
})

test("an open game says nothing", async () => {
  stage = await show(<NoBets closed={null} />)
  expect(stage.text()).toBe("")
})
