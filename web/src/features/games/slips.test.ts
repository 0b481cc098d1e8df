import { expect, test } from "vitest"
import type { BetRow } from "../../lib/api.gen.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { slipsOf } from "./slips.ts"

const T = 1_763_740_800

const bet = (bet_id: string, closes: number, status = "won", scene_id = "odd_even-60") =>
  ({ bet_id, scene_id, round: `${scene_id}-${closes}`, status, time: (closes - 5) * 1000 }) as BetRow
const scene = (mine: BetRow[]) =>
  ({ scene_id: "odd_even-60", closes_at: T * 1000, my_bets: mine }) as unknown as RunningScene
const ids = (mine: BetRow[], newest: BetRow[]) => slipsOf(scene(mine), newest).map(({ bet_id }) => bet_id)

test("the tray holds this round and the one before it, newest first, each bet once", () => {
  const now = bet("3", T, "awaiting_draw")
  expect(ids([now], [now, bet("2", T - 60), bet("1", T - 120)])).toEqual(["3", "2"])
})

test("a bet that waits for a late block stays, however old its round is", () => {
  expect(ids([], [bet("1", T - 600, "awaiting_draw")])).toEqual(["1"])
})

test("another room's bets are not in it", () => {
  expect(ids([], [bet("1", T, "awaiting_draw", "odd_even-180")])).toEqual([])
})
