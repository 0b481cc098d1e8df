import { afterEach, expect, test } from "vitest"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { begins } from "./begins.ts"
import { Movements } from "./Movements.tsx"
import type { Movement } from "./useMovements.ts"

const finance = (total: string) => ({ total }) as FinanceAnswer
const LOST: Movement = {
  coin: "USDT",
  row: {
    id: "7",
    kind: "game.stake",
    title: "Stake",
    amount: "-5",
    balance: "0",
    reference: "1",
    time: 1_763_740_800_000,
  } as Movement["row"],
}

let stage: Stage | undefined
afterEach(() => stage?.leave())

test("only who has nothing and never moved anything has yet to begin", () => {
  expect(begins(finance("0"), [])).toBe(true)
  expect(begins(finance("0"), [LOST])).toBe(false)
  expect(begins(finance("5"), [])).toBe(false)
  expect(begins(finance("0"), undefined)).toBe(false)
  expect(begins(undefined, [])).toBe(false)
})

test("old movements stay, with their time and a way to ask anew", async () => {
  let asked = 0
  const movements = {
    data: [LOST],
    error: new Error("no answer"),
    isFetching: false,
    dataUpdatedAt: 1_763_740_800_000,
    refetch: () => asked++,
  }
  stage = await show(<Movements movements={movements} most={3} />)
  expect(stage.text()).toMatch(/Not up to date: as of .*Stake/)
  await stage.press(stage.get("button", "Try again"))
  expect(asked).toBe(1)
})
