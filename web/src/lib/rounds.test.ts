import { expect, test } from "vitest"
import type { SceneAnswer } from "./api.gen.ts"
import { closeOf, isTurning, secondsOf } from "./rounds.ts"

const T = 1_763_740_800_000

function scene(newest: number | null, state: SceneAnswer["state"] = "open"): SceneAnswer {
  const results =
    newest === null
      ? []
      : [{ round: `odd_even-60-${newest / 1000}`, digit: 7, outcome: "odd", height: 1, hash: "0x7" }]
  return {
    scene_id: "odd_even-60",
    round: `odd_even-60-${T / 1000}`,
    state,
    closes_at: T,
    results,
  } as unknown as SceneAnswer
}

test("ids say how long a round is and when it closes", () => {
  expect(secondsOf("odd_even-180")).toBe(180)
  expect(closeOf(`odd_even-60-${T / 1000}`)).toBe(T)
})

test("something is due while a result is missing, the round is sealed, or its time is over", () => {
  const before = T - 50_000
  expect(isTurning(scene(T - 60_000), before)).toBe(false)
  expect(isTurning(scene(T - 120_000), before)).toBe(true)
  expect(isTurning(scene(T - 60_000, "sealed"), before)).toBe(true)
  expect(isTurning(scene(T - 60_000), T)).toBe(true)
})

test("a result that doesn't come (a void round has none) is not asked for every second for ever", () => {
  expect(isTurning(scene(T - 120_000), T - 29_000)).toBe(false)
  expect(isTurning(scene(null), T - 50_000)).toBe(false)
})

test("a next round that doesn't come is not asked for every second for ever", () => {
  for (const state of ["sealed", "drawn", "settled", "void", "open"] as const) {
    expect(isTurning(scene(T - 60_000, state), T + 29_000)).toBe(true)
    expect(isTurning(scene(T - 60_000, state), T + 31_000)).toBe(false)
  }
})
