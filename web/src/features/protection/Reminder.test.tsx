import { act } from "react"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { LimitsAnswer } from "../../lib/api.gen.ts"
import { Payment } from "../../lib/payment.ts"
import { queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { holdClock } from "../../testing/clock.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { limitsQuery } from "./queries.ts"
import Reminder from "./Reminder.tsx"
import { goesOn } from "./stay.ts"

const MINUTE = 60_000
const none = { amount: null, used: "0.000000", next_amount: null, next_from: null }
const LIMITS: LimitsAnswer = {
  stake: { ...none, used: "12.500000" },
  loss: none,
  topup: none,
  reminder: 30,
  result: "-2.500000",
  raise_from: 0,
  paused_until: null,
  excluded_until: null,
}
const bets = new Payment<object, never>("reminder test", () => Promise.reject(new Error("no server")), {
  waits: [],
})
const TOLD = "kalos.stay"

let stage: Stage
holdClock()
beforeEach(() => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("no server")
  })
  startSession("token")
  queryClient.setQueryData(limitsQuery().queryKey, LIMITS)
})
afterEach(async () => {
  await stage.leave()
  bets.cancel()
  await endSession()
})

/** In small steps, each of them drawn: whoever sees nothing for minutes is away. */
async function pass(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 1)
    await act(async () => vi.advanceTimersByTimeAsync(Math.min(1, left) * MINUTE))
}
const isShown = () => stage.text().includes("A look at the clock")
/** Its panel is loaded when it is first shown. */
const wait = () => soon(() => act(async () => expect(isShown()).toBe(true)))

describe("the reminder", () => {
  test("comes after its minutes with the day's figures, and again as long after it was read", async () => {
    stage = await show(<Reminder />)
    await pass(29)
    expect(isShown()).toBe(false)
    await pass(1.1)
    await wait()
    for (const said of ["30 minutes", "12.50 USDT", "−2.50 USDT"]) expect(stage.text()).toContain(said)
    await stage.press(stage.get("button", "Go on"))
    await pass(29)
    expect(isShown()).toBe(false)
    await pass(1.1)
    await wait()
    expect(stage.text()).toContain("60 minutes")
  })

  test("waits while a payment is under way on the screen", async () => {
    stage = await show(<Reminder />)
    const leave = bets.watch(() => undefined)
    await act(async () => bets.review({}))
    await pass(31)
    expect(isShown()).toBe(false)
    await act(async () => bets.cancel())
    await wait()
    leave()
  })

  test("comes though a payment has no answer yet, once its screen was left", async () => {
    stage = await show(<Reminder />)
    const leave = bets.watch(() => undefined)
    bets.review({})
    await act(async () => bets.send())
    await pass(31)
    expect([bets.read().step, isShown()]).toEqual(["checking", false])
    await act(async () => leave())
    await wait()
    bets.abandon()
  })

  test("waits while another sheet stands over the page", async () => {
    stage = await show(<Reminder />)
    await act(async () => stage.router.navigate({ to: ".", state: { sheet: "review deposit" } }))
    await pass(31)
    expect(isShown()).toBe(false)
    await act(async () => stage.router.history.back())
    await wait()
  })

  test("counts on after a reload, and goes when another tab was told", async () => {
    stage = await show(<Reminder />)
    await pass(20)
    await stage.leave()
    stage = await show(<Reminder />)
    await pass(10.1)
    await wait()
    const stay = JSON.parse(localStorage.getItem(TOLD) ?? "{}")
    localStorage.setItem(TOLD, JSON.stringify({ ...stay, told: stay.seen }))
    await act(async () => globalThis.dispatchEvent(new StorageEvent("storage", { key: TOLD })))
    await pass(0.1)
    await soon(() => act(async () => expect(isShown()).toBe(false)))
  })

  test("ends with the session", async () => {
    stage = await show(<Reminder />)
    await pass(1)
    expect(localStorage.getItem(TOLD)).not.toBeNull()
    await stage.leave()
    await endSession()
    expect(localStorage.getItem(TOLD)).toBeNull()
    stage = await show(<p />)
  })
})

test.each([
  ["a short absence counts", 4 * MINUTE, 100],
  ["a long one begins anew", 5 * MINUTE + 1, 200 + 5 * MINUTE + 1],
  ["a clock that was set back begins anew", -101, 99],
])("%s", (_, later, since) => {
  expect(goesOn({ since: 100, seen: 200, told: 100 }, 200 + later).since).toBe(since)
})
