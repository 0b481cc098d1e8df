import { notifyManager, type QueryKey } from "@tanstack/react-query"
import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { suspectOffline } from "../../lib/network.ts"
import { callQuery, financeQuery, queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { comeBack } from "../../testing/comeBack.ts"
import { openScene } from "../../testing/scene.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import HomePage from "./HomePage.tsx"

let stage: Stage

const browse = () =>
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))

// What comes later than the page: one that comes between two tests would stay away.
beforeAll(async () => {
  browse()
  await Promise.all([import("./HomeRest.tsx"), import("../../ui/SheetPanel.tsx")])
})
beforeEach(() => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
  browse()
})
afterEach(async () => {
  await stage.leave()
  await comeBack()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** What leads to a payment; the total's own way on stands where it is. */
const MONEY = 'main a[href^="/node"]:not([href="/node"])'

const settles = (check: () => unknown) => soon(() => act(async () => void check()))

const stands = (total: string) =>
  queryClient.setQueryData(financeQuery().queryKey, {
    total,
    change_24h: "0.000000",
    price_source: { asset: "KLS", price: "0.5", at: 1, source: "ref_first" },
    history: [],
    list: [],
  })
const moved = (...rows: unknown[]) => {
  for (const path of ["/api/user/usdtLog", "/api/user/klsLog"] as const)
    queryClient.setQueryData(callQuery(path, { size: 3 }).queryKey, { list: rows } as never)
}

test("until it is known whether somebody has begun nothing can be pressed that would change places", async () => {
  stands("0.000000")
  stage = await show(<HomePage />)
  expect(stage.count(MONEY)).toBe(0)
  await act(async () => moved())
  await soon(() => expect(stage.text()).toContain("Three steps to begin"))
  expect(stage.get("a", "Top up").getAttribute("href")).toBe("/node3")
  expect(stage.count('a[href="/node4"]')).toBe(0)
})

test("whoever has something has the actions at once", async () => {
  stands("90.000000")
  stage = await show(<HomePage />)
  expect(stage.get("a", "Withdraw").getAttribute("href")).toBe("/node4")
})

test("without a connection money's actions can't be pressed, and the words under them say why", async () => {
  stands("90.000000")
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no server")))
  stage = await show(<HomePage />)
  await act(async () => suspectOffline())
  // What KLS is worth comes later than the page, and leads to its movements all the same.
  await soon(() => expect(stage.count('main a:is([href="/node3"], [href="/node4"])')).toBe(0))
  const topUp = stage.get("button", "Top up") as HTMLButtonElement
  const words = document.getElementById(topUp.getAttribute("aria-describedby") ?? "")
  expect([topUp.disabled, words?.textContent]).toEqual([true, "No connection to the server"])
})

test.each([
  ["the figures", "", [financeQuery().queryKey, callQuery("/api/game/index", {}).queryKey], 2],
  ["the movements", "0.000000", [callQuery("/api/user/usdtLog", { size: 3 }).queryKey], 0],
])(
  "%s that failed stay failed while they are asked for again: no way to money comes and goes",
  async (_, total, keys, alerts) => {
    if (total !== "") stands(total)
    stage = await show(<HomePage />)
    const known = (queryKey: QueryKey) => queryClient.getQueryCache().find({ queryKey })
    // The page's part that comes later listens last to the figures, and what begins to listen to a failure asks anew.
    await soon(() => expect(known(financeQuery().queryKey)?.getObserversCount()).toBe(2))
    const asked = keys.map(known)
    const turn = (state: object) =>
      act(async () => {
        for (const query of asked) query?.setState(state)
        // After those who show them were told.
        await new Promise<void>((done) => notifyManager.schedule(done))
      })
    const seen = () => [
      stage.count("main [role=alert]"),
      stage.count(MONEY),
      stage.count("main [aria-busy=true]"),
      stage.text(),
    ]
    await turn({ status: "error", error: new Error(), errorUpdateCount: 1, fetchStatus: "idle" })
    const failed = seen()
    // Top up, Withdraw and what KLS is worth.
    expect(failed.slice(0, 2)).toEqual([alerts, 3])
    await turn({ status: "pending", error: null, fetchStatus: "fetching" })
    expect(seen()).toEqual(failed)
  },
)

test("its head has a button that asks anew, as a pull does", async () => {
  stage = await show(<HomePage />)
  expect(stage.count("header button[aria-label=Refresh]")).toBe(1)
})

test("the total leads to what it is made of, beside its eye and the income", async () => {
  stands("90.000000")
  stage = await show(<HomePage />)
  expect(stage.get('a[href="/node"]', "Assets 90.00").querySelector("a, button")).toBeNull()
  expect(stage.get("button", /balances/i).closest("a")).toBeNull()
})

test("the services lead to what is built and to nothing twice; All opens the others", async () => {
  stands("90.000000")
  stage = await show(<HomePage />)
  await soon(() => stage.get("nav", "Services"))
  const leads = (within: string) =>
    [...document.querySelectorAll(`${within} a`)].map((way) => way.getAttribute("href"))
  expect(leads("nav")).toEqual(["/game1?view=trend", "/game1?view=bets", "/invite"])
  await stage.press(stage.get("nav button", "All"))
  await settles(() => stage.get("[role=dialog] h2", "All services"))
  expect(leads("[role=dialog]")).toEqual(["/help", "/wallet-register", "/software-download"])
})

test("before a house's first result its round says so, with no place for digits that aren't there", async () => {
  const scene = openScene({ results: [] })
  stands("90.000000")
  const hall = { list: [{ scenes: [{ scene_id: scene.scene_id }] }] }
  queryClient.setQueryData(callQuery("/api/game/index", {}).queryKey, hall as never)
  queryClient.setQueryData(callQuery("/api/game/scene", { scene_id: scene.scene_id }).queryKey, scene)
  stage = await show(<HomePage />)
  await settles(() => expect(stage.text()).toContain("No result yet."))
  expect(stage.count('[role=img][aria-label^="Last digits"]')).toBe(0)
})
