import { expect, test } from "vitest"
import { validateRoom } from "./search.ts"

test("game, room, view and status are taken from the address", () => {
  const search = { game: "odd_even", scene: "odd_even-180", view: "bets", status: "won" }
  expect(validateRoom(search)).toEqual(search)
})

test("what can't be one of these is left out", () => {
  expect(validateRoom({ game: "<b>", scene: "odd_even", view: "tickets", status: 1 })).toEqual({})
})
