import { act, useState } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { serverNow } from "../../lib/clock.ts"
import { suspectOffline } from "../../lib/network.ts"
import { isPaying } from "../../lib/paying.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { endSession, startSession } from "../../lib/session.ts"
import type { Fields } from "../../lib/wire/sign.ts"
import { answerWith, done } from "../../testing/answers.ts"
import { comeBack } from "../../testing/comeBack.ts"
import { openScene } from "../../testing/scene.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetBar } from "./BetBar.tsx"
import { useBet } from "./useBet.ts"

let stage: Stage
let turn: (scene: RunningScene) => void

function Bar() {
  const [scene, setScene] = useState(() => openScene())
  turn = setScene
  const bet = useBet(scene.round)
  const choice = { option: "odd", asset: "USDT", stake: "10", available: "50", room: "1000" }
  return <BetBar scene={scene} bet={bet} choice={choice} />
}

beforeEach(async () => {
  sessionStorage.clear()
  startSession("token")
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => {
      throw new TypeError("no server")
    }),
  )
  stage = await show(<Bar />)
  await stage.press(stage.get("button", /10 USDT/))
})
afterEach(async () => {
  await stage.leave()
  endSession()
  await comeBack()
  vi.unstubAllGlobals()
})

const confirming = () => stage.get("button", /^Confirm 10 USDT/) as HTMLButtonElement
const goAway = () => act(async () => suspectOffline())
/** The bet is refused with what `data` says until the notice is accepted; returns what is sent meanwhile. */
function refuseWith(data: object): [string, Fields][] {
  const sent: [string, Fields][] = []
  const accepts = (path: string) => path.endsWith("/acceptDisclosure")
  answerWith((path, body) => {
    if (path.endsWith("/beton") || accepts(path)) sent.push([path, body])
    if (path.endsWith("/disclosures")) return done({ list: [{ feature: "games", text: "Games cost money" }] })
    const isRefused = path.endsWith("/beton") && !sent.some(([path]) => accepts(path))
    return isRefused ? { code: 422, msg: "No", data } : done()
  })
  return sent
}
const NEXT = { round: "odd_even-60-1763740860", height: 1_234 }
const leave = () => act(async () => stage.router.navigate({ to: "/other" as "/" }))

test("a bet can't be confirmed once its round is closed early, and the bar says when the next one comes", async () => {
  expect(confirming().disabled).toBe(false)
  await act(async () => turn(openScene({ state: "sealed" })))
  expect(confirming().disabled).toBe(true)
  expect(stage.text()).toMatch(/Closed, next in 00:\d\d/)
})

test("a bet can't be confirmed while chain or clocks disagree, and can when they agree again", async () => {
  await act(async () => turn(openScene({ betting_closed: "chain" })))
  expect(confirming().disabled).toBe(true)
  expect(stage.text()).toMatch(/No bets at the moment/)
  await act(async () => turn(openScene()))
  expect(confirming().disabled).toBe(false)
})

test("a bet can't be confirmed without a connection", async () => {
  await goAway()
  await soon(() => expect(confirming().disabled).toBe(true))
  expect(stage.text()).toContain("No connection to the server")
})

test("a bet without an answer is asked for again though its round is closed and the server away", async () => {
  await stage.press(confirming())
  await soon(() => act(async () => stage.get("button", "Ask again")))
  await goAway()
  await act(async () => turn(openScene({ state: "sealed" })))
  expect((stage.get("button", "Ask again") as HTMLButtonElement).disabled).toBe(false)
  expect(stage.text()).not.toContain("Closed, next")
})

test("a bet that wasn't confirmed goes with its screen, one without an answer stays", async () => {
  expect(isPaying()).toBe(true)
  await leave()
  expect(isPaying()).toBe(false)
  await act(async () => stage.router.navigate({ to: "/" }))
  await stage.press(stage.get("button", /10 USDT/))
  await stage.press(confirming())
  await soon(() => act(async () => stage.get("button", "Ask again")))
  await leave()
  expect(isPaying()).toBe(true)
})

test("a notice outlasts the round, and what is confirmed under it is the bet on the round that is shown", async () => {
  const sent = refuseWith({ error: "disclosure_required", feature: "games", version: 3 })
  await stage.press(confirming())
  await soon(() => act(async () => expect(stage.text()).toContain("Games cost money")))
  await stage.press(stage.get("[type=checkbox]"))
  const room = { odd: { USDT: "700" } }
  await act(async () => turn(openScene({ ...NEXT, room, closes_at: serverNow() + 25_000 })))
  expect(stage.text()).toContain("Games cost money")
  expect(confirming().disabled).toBe(false)
  for (const shown of [/round of block 1,234/, /at most 700 USDT more/, /back 19\.50 USDT/, /Closes in 00:2/])
    expect(stage.text()).toMatch(shown)
  await stage.press(confirming())
  await soon(() => act(async () => stage.get("button", /^Bet 10 USDT/)))
  expect(sent.map(([path, { round, version }]) => [path, round ?? version])).toEqual([
    ["/api/game/beton", openScene().round],
    ["/api/user/acceptDisclosure", 3],
    ["/api/game/beton", NEXT.round],
  ])
})

test("a bet under a notice that the next round doesn't hold says so instead of being refused", async () => {
  refuseWith({ error: "disclosure_required", feature: "games", version: 3 })
  await stage.press(confirming())
  await soon(() => act(async () => expect(stage.text()).toContain("Games cost money")))
  await stage.press(stage.get("[type=checkbox]"))
  await act(async () => turn(openScene({ ...NEXT, maximum: { USDT: "5" } })))
  expect(confirming().disabled).toBe(true)
  expect(stage.text()).toContain("One member can stake at most 5 USDT.")
})

test("another round ends a bet that wasn't confirmed", async () => {
  await act(async () => turn(openScene(NEXT)))
  expect(stage.count("button")).toBe(1)
  expect(stage.get("button", /^Bet 10 USDT/)).toBeTruthy()
})

test("a bet that came too late is told while its round is closed and through the next one, and then no more", async () => {
  const told = () => stage.text().includes("Nothing was staked.")
  refuseWith({ error: "round_closed" })
  await stage.press(confirming())
  await soon(() => act(async () => expect(told()).toBe(true)))
  await act(async () => turn(openScene({ state: "sealed" })))
  expect(stage.text()).toMatch(/Closed, next in/)
  expect(told()).toBe(true)
  await act(async () => turn(openScene(NEXT)))
  expect(told()).toBe(true)
  await act(async () => turn(openScene({ round: "odd_even-60-1763740920" })))
  expect(told()).toBe(false)
})

test("the second press of a double one places no bet", async () => {
  const press = (detail: number) =>
    act(async () => void confirming().dispatchEvent(new MouseEvent("click", { bubbles: true, detail })))
  // Drawn anew under a clock that stands: the second press is as soon, however slow the machine is.
  const drawn = performance.now()
  const now = vi.spyOn(performance, "now").mockReturnValue(drawn)
  await leave()
  await act(async () => stage.router.navigate({ to: "/" }))
  await stage.press(stage.get("button", /10 USDT/))
  const sent = vi.mocked(fetch).mock.calls.length
  now.mockReturnValue(drawn + 400)
  await press(2)
  expect(stage.count("[aria-label^=Confirm], button:disabled")).toBe(0)
  expect(vi.mocked(fetch).mock.calls.length).toBe(sent)
  expect(confirming().disabled).toBe(false)
  now.mockReturnValue(drawn + 501)
  await press(1)
  await soon(() => act(async () => expect(vi.mocked(fetch).mock.calls.length).toBeGreaterThan(sent)))
  vi.restoreAllMocks()
})
