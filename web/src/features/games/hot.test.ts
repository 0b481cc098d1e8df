import { expect, test } from "vitest"
import type { HallGame } from "../../lib/api.gen.ts"
import { hotFirst } from "./hot.ts"

const game = (name: string): HallGame => ({ game: name, return_to_player: "0.975", online: 0, scenes: [] })
const order = (hot: string[]) =>
  hotFirst({ list: ["a", "b", "c", "d"].map(game), hot }).map(({ game: name }) => name)

test("games that are hot come first in their order, the rest stays as it is", () => {
  expect(order([])).toEqual(["a", "b", "c", "d"])
  expect(order(["c", "b"])).toEqual(["c", "b", "a", "d"])
  expect(order(["d", "gone"])).toEqual(["d", "a", "b", "c"])
})
