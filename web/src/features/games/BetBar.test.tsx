import { act, useState } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { markOnline, suspectOffline } from "../../lib/network.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { serverNow } from "../../lib/time.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetBar } from "./BetBar.tsx"
import { useBet } from "./useBet.ts"

function running(part: Partial<RunningScene> = {}): RunningScene {
  return {
    scene_id: "odd_even-60",
    game: "odd_even",
    round: "odd_even-60-1763740800",
    state: "open",
    opens_at: serverNow() - 10_000,
    closes_at: serverNow() + 50_000,
    height: 1,
    server_time: serverNow(),
    options: [{ option: "odd", chance: "0.5", multiple: "1.95", profit: "0.95" }],
    minimum: { USDT: "1" },
    maximum: { USDT: "100" },
    room: { odd: { USDT: "1000" } },
    my_bets: [],
    results: [],
    return_to_player: "0.975",
    ...part,
  }
}

let stage: Stage
let turn: (scene: RunningScene) => void

function Bar() {
  const [scene, setScene] = useState(running)
  turn = setScene
  const bet = useBet(scene.round)
  const choice = { option: "odd", asset: "USDT", stake: "10", available: "50", room: "1000" }
  return <BetBar scene={scene} bet={bet} choice={choice} />
}

beforeEach(async () => {
  sessionStorage.clear()
  startSession("token")
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("no server")
  })
  stage = await show(<Bar />)
  await stage.press(stage.get("button", /10 USDT/))
})
afterEach(async () => {
  await stage.leave()
  endSession()
  markOnline()
  vi.unstubAllGlobals()
})

const confirming = () => stage.get("button", /^Confirm 10 USDT/) as HTMLButtonElement
const goAway = () => act(async () => suspectOffline())

test("a bet can't be confirmed once its round is closed early, and the bar says when the next one comes", async () => {
  expect(confirming().disabled).toBe(false)
  await act(async () => turn(running({ state: "sealed" })))
  expect(confirming().disabled).toBe(true)
  expect(stage.text()).toMatch(/Closed, next in 00:\d\d/)
})

test("a bet can't be confirmed without a connection", async () => {
  await goAway()
  await vi.waitFor(() => expect(confirming().disabled).toBe(true))
  expect(stage.text()).toContain("No connection to the server")
})

test("a bet without an answer is asked for again though its round is closed and the server away", async () => {
  await stage.press(confirming())
  await vi.waitFor(() => act(async () => stage.get("button", "Ask again")))
  await goAway()
  await act(async () => turn(running({ state: "sealed" })))
  expect((stage.get("button", "Ask again") as HTMLButtonElement).disabled).toBe(false)
  expect(stage.text()).not.toContain("Closed, next")
})
