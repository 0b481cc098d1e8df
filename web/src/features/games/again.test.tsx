import { useRouterState } from "@tanstack/react-router"
import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { endSession, startSession } from "../../lib/session.ts"
import { setSettings } from "../../lib/settings.ts"
import { openScene } from "../../testing/scene.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetForm } from "./BetForm.tsx"

const SCENE = openScene()

/** The room as somebody comes to it: with the step of the history that the sheet has made. */
function Room() {
  const arrived = useRouterState({ select: ({ location }) => location.state.again !== undefined })
  return arrived && <BetForm scene={SCENE} />
}

let stage: Stage
const calls = vi.fn(async () => {
  throw new TypeError("no server")
})
beforeEach(async () => {
  calls.mockClear()
  vi.stubGlobal("fetch", calls)
  startSession("token")
  setSettings({ language: "vn" })
  stage = await show(<Room />)
})
afterEach(async () => {
  await stage.leave()
  endSession()
  setSettings({ language: "en" })
  vi.unstubAllGlobals()
})

const come = (again: { option: string; asset: string; amount: string }) =>
  act(async () => stage.router.navigate({ to: ".", state: { again } }))
const stake = () => (stage.get("input", "Stake") as HTMLInputElement).value
const chosen = () => stage.count("input[type=radio]:checked")

test("a bet to place once more fills in plate, coin and stake, and is neither sent nor fixed", async () => {
  await come({ option: "even", asset: "KLS", amount: "20.50000000" })
  expect(stake()).toBe("20,5")
  expect(chosen()).toBe(1)
  stage.get("button", /20,50? KLS/)
  expect(stage.count("button[aria-label^=Confirm]")).toBe(0)
  expect(JSON.stringify(calls.mock.calls)).not.toContain("beton")
})

test("a plate that the room no longer has stays open, and a coin that it doesn't take leaves the form empty", async () => {
  await come({ option: "big", asset: "KLS", amount: "5" })
  expect([stake(), chosen()]).toEqual(["5", 0])
  await stage.leave()
  stage = await show(<Room />)
  await come({ option: "even", asset: "BTC", amount: "5" })
  expect([stake(), chosen()]).toEqual(["", 0])
})
