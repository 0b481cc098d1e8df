import { useRouterState } from "@tanstack/react-router"
import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { infoQuery, queryClient } from "../../lib/queries.ts"
import { endSession, sessionPrint, startSession } from "../../lib/session.ts"
import { setSettings } from "../../lib/settings.ts"
import { openScene } from "../../testing/scene.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { BetForm } from "./BetForm.tsx"

const SCENE = openScene()

/** The room as somebody comes to it: with the step of the history that the sheet has made. */
function Room() {
  const arrived = useRouterState({ select: ({ location }) => location.state.again !== undefined })
  return arrived && <BetForm scene={SCENE} drafts={new Map()} />
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

const come = (again: { option: string; asset: string; amount: string }, of = sessionPrint()) =>
  act(async () => stage.router.navigate({ to: ".", state: { again: { ...again, of } } }))
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

test("who logged in meanwhile finds nothing of another member's bet", async () => {
  const of = sessionPrint()
  await endSession()
  startSession("another")
  await come({ option: "even", asset: "KLS", amount: "20.50000000" }, of)
  expect([stake(), chosen()]).toEqual(["", 0])
})

test("keys fill in a stake as the member writes amounts", async () => {
  queryClient.setQueryData(infoQuery().queryKey, {
    balances: [{ asset: "USDT", available: "12.345000", held: "0.000000" }],
  } as never)
  await come({ option: "even", asset: "USDT", amount: "5" })
  await stage.press(stage.get("button", "Max"))
  expect(stake()).toBe("12,345")
  await stage.press(stage.get("button", "½"))
  expect(stake()).toBe("6,17")
  queryClient.clear()
})

test("what is left in a form stands there again, in its own room alone", async () => {
  const drafts = new Map()
  const room = async (scene: typeof SCENE) => {
    await stage.leave()
    stage = await show(<BetForm scene={scene} drafts={drafts} />)
  }
  await room(SCENE)
  await stage.type(stage.get("input", "Stake"), "12,5")
  await room(SCENE)
  expect(stake()).toBe("12,5")
  await room({ ...SCENE, scene_id: "another" })
  expect(stake()).toBe("")
})
