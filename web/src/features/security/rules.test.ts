import { expect, it, test } from "vitest"
import { Refusal } from "../../lib/api.ts"
import { fieldIn, untold } from "./refused.ts"
import { pausedUntil, standingOf } from "./standing.ts"

test("what an account still holds is each coin with all there is of it, bets too, and nothing of what is zero", () => {
  const list = [
    { asset: "USDT", available: "0.000000", held: "12.500000", value: "12.5" },
    { asset: "KLS", available: "3.1", held: "0", value: "0" },
    { asset: "USA", available: "0", held: "0.000", value: "0" },
  ]
  expect(standingOf({ list })).toEqual([
    { asset: "USDT", amount: "12.5", isHeld: true },
    { asset: "KLS", amount: "3.1", isHeld: false },
  ])
  expect(standingOf({ list: [] })).toEqual([])
})

test("a break or an exclusion is in the way until the later of both is over", () => {
  expect(pausedUntil(undefined, 10)).toBeNull()
  expect(pausedUntil({ paused_until: null, excluded_until: null }, 10)).toBeNull()
  expect(pausedUntil({ paused_until: 11, excluded_until: 20 }, 10)).toBe(20)
  expect(pausedUntil({ paused_until: 11, excluded_until: null }, 10)).toBe(11)
  expect(pausedUntil({ paused_until: 11, excluded_until: null }, 11)).toBeNull()
})

const FIELDS = { wrong_credentials: "old" } as const
const refusal = (error: string) => new Refusal(401, "No", { error } as never)

it.each([
  ["wrong_credentials", "old", false],
  ["wrong_code", undefined, false],
  ["second_factor_required", undefined, false],
  ["slide_required", undefined, true],
  ["constructor", undefined, true],
])("%s is told at the field %s; above the button: %s", (error, field, above) => {
  const problem = refusal(error)
  expect([fieldIn(FIELDS, problem), untold(FIELDS, problem)]).toEqual([field, above ? problem : null])
})

test("an outage is told above the button", () => {
  const outage = new Error("away")
  expect([fieldIn(FIELDS, outage), untold(FIELDS, outage), untold(FIELDS, null)]).toEqual([
    undefined,
    outage,
    null,
  ])
})
