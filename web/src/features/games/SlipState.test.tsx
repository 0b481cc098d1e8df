import { expect, test } from "vitest"
import type { BetRow } from "../../lib/api.gen.ts"
import { show } from "../../testing/stage.tsx"
import { SlipState } from "./SlipState.tsx"

const BET = { prize: null, amount: "10", balance_type: "USDT" }

test.each([
  ["not_won", "Not won"],
  ["void", "Stake returned"],
  ["awaiting_draw", "Awaiting draw"],
  ["a_word_of_tomorrow", "unknown status"],
  // A win without its prize: what it brought isn't known.
  ["won", "unknown status"],
])("a bet of the status %j is said to be %j", async (status, said) => {
  const stage = await show(<SlipState bet={{ ...BET, status } as BetRow} />)
  expect(stage.text()).toBe(said)
  await stage.leave()
})
