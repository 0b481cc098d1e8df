import { afterEach, expect, test } from "vitest"
import { queryClient } from "../../lib/queries.ts"
import { setSettings } from "../../lib/settings.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { rulesQuery } from "./queries.ts"
import { Rules } from "./Rules.tsx"

let stage: Stage
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  setSettings({ numbers: "language" })
})

test("what the house's sentences say of rates reads as the figures above them", async () => {
  const option = { option: "odd", chance: "0.5", multiple: "1.95", profit: "0.95" }
  const answer = { game: "odd_even", options: [option], return_to_player: "0.975" }
  queryClient.setQueryData(rulesQuery("odd_even").queryKey, {
    ...answer,
    rules: ["On average 97.5 % come back."],
  } as never)
  setSettings({ numbers: "1.234,5" })
  stage = await show(<Rules game="odd_even" />)
  expect(stage.text()).toContain("Return to player97,5%")
  expect(stage.text()).toContain("On average 97,5% come back.")
})
