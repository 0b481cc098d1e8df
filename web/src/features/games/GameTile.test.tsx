import { afterEach, expect, test } from "vitest"
import type { HallScene } from "../../lib/api.gen.ts"
import { serverNow } from "../../lib/clock.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { GameTile } from "./GameTile.tsx"

let stage: Stage
afterEach(() => stage.leave())

async function tile(state: HallScene["state"], left: number): Promise<string> {
  const room: HallScene = {
    scene_id: "odd_even-60",
    round: "odd_even-60-1763740800",
    state,
    opens_at: serverNow() - 10_000,
    closes_at: serverNow() + left,
    height: 1,
    seconds: 60,
    balance_types: ["USDT"],
    room: { USDT: "1000" },
  }
  const game = { game: "odd_even", return_to_player: "0.975", online: 0, scenes: [room] }
  stage = await show(<GameTile game={game} />)
  return stage.text()
}

test("an open room counts down", async () => {
  expect(await tile("open", 30_500)).toMatch(/00:[23]\d$/)
})

test.each([
  ["closed before its time", "sealed", 30_000],
  ["whose time is over", "open", -2_000],
] as const)("a room %s is drawing and counts nothing", async (_, state, left) => {
  const text = await tile(state, left)
  expect(text).toMatch(/Drawing$/)
  expect(text).not.toMatch(/00:\d\d/)
})
