import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { markOnline, suspectOffline } from "../../lib/network.ts"
import { callQuery, financeQuery, queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { comeBack } from "../../testing/comeBack.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import AssetsPage from "./AssetsPage.tsx"

let stage: Stage
let away = false

async function open(total: string, ...further: [asset: string, available: string][]): Promise<void> {
  keep(total, ...further)
  stage = await show(<AssetsPage />, "/node")
}

/** The page anew, where its address stayed. */
async function reload(): Promise<void> {
  const { href } = stage.router.state.location
  await stage.leave()
  stage = await show(<AssetsPage />, href)
}

function keep(total: string, ...further: [asset: string, available: string][]): void {
  queryClient.setQueryData(financeQuery().queryKey, {
    total,
    change_24h: "0.000000",
    price_source: { asset: "KLS", price: "0.5", at: 1, source: "ref_first" },
    history: [],
    list: [["USDT", total] as const, ...further].map(([asset, available]) => ({
      asset,
      available,
      held: "0.000000",
      value: available,
    })),
  })
  for (const path of ["/api/user/usdtLog", "/api/user/klsLog"] as const)
    queryClient.setQueryData(callQuery(path, { size: 5 }).queryKey, { list: [] } as never)
}

beforeEach(() => {
  startSession("token")
  away = false
  // While it is there it takes its time: what stands was kept.
  vi.stubGlobal("fetch", () => (away ? Promise.reject(new TypeError("no server")) : new Promise(() => {})))
})
afterEach(async () => {
  await stage.leave()
  endSession()
  await comeBack()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const goAway = () =>
  act(async () => {
    away = true
    suspectOffline()
  })
const back = () => act(async () => markOnline())
/** What a reader says of a button that can't be pressed. */
const described = (name: string) =>
  document.getElementById(stage.get("button:disabled", name).getAttribute("aria-describedby") ?? "")
    ?.textContent

test("without a connection no button of the assets can be pressed, and each says why", async () => {
  await open("90.000000")
  expect(stage.get("a", "Withdraw").getAttribute("href")).toBe("/node4")
  expect(stage.text()).not.toContain("No connection")
  await goAway()
  await soon(() => expect(stage.text()).toContain("No connection to the server"))
  expect(stage.count('a[href="/node4"]')).toBe(0)
  for (const name of ["Top up", "Withdraw", "Play"])
    expect(described(name)).toBe("No connection to the server")
  await back()
  for (const [name, path] of [
    ["Top up", "/node3"],
    ["Withdraw", "/node4"],
    ["Play", "/game1"],
  ] as const)
    expect(stage.get("a", name).getAttribute("href")).toBe(path)
  expect(stage.text()).not.toContain("No connection")
})

test("without a connection the first top-up can't be pressed either", async () => {
  await open("0.000000")
  expect(stage.get("a", "Top up").getAttribute("href")).toBe("/node3")
  await goAway()
  await soon(() => expect(described("Top up")).toBe("No connection to the server"))
})

const coins = () =>
  [...document.querySelectorAll('a[href^="/node1?coin="]')].map((row) =>
    (row.getAttribute("href") ?? "").slice("/node1?coin=".length),
  )

test("each coin leads to its movements; those at zero can be hidden, also after a reload, and come back", async () => {
  await open("90.000000", ["KLS", "0.00000000"])
  expect(coins()).toEqual(["USDT", "KLS"])
  await stage.press(stage.get("[role=switch]", "Hide zero balances"))
  expect(coins()).toEqual(["USDT"])
  await reload()
  expect(coins()).toEqual(["USDT"])
  await stage.press(stage.get("[role=switch]", "Hide zero balances"))
  expect(coins()).toEqual(["USDT", "KLS"])
})

test("nothing at zero leaves nothing to hide", async () => {
  await open("90.000000", ["KLS", "1.00000000"])
  expect(stage.count("[role=switch]")).toBe(0)
})

test("more coins than are seen at a glance are searched, whatever the letters' case", async () => {
  const further = ["KLS", "USA", "USO", "BTC", "ETH", "SOL", "XRP", "ADA"]
  await open("90.000000", ...further.map((asset): [string, string] => [asset, "1.000000"]))
  expect(coins()).toEqual(["USDT", ...further])
  const field = () => stage.get("input", "Search a coin")
  await stage.type(field(), " us")
  expect(coins()).toEqual(["USDT", "USA", "USO"])
  await reload()
  expect([coins(), (field() as HTMLInputElement).value]).toEqual([["USDT", "USA", "USO"], "us"])
  await stage.type(field(), "doge")
  expect([coins(), stage.text().includes("No such coin.")]).toEqual([[], true])
})

test("where search or filter leave no coin, one press shows all of them again", async () => {
  const further = ["KLS", "USA", "USO", "BTC", "ETH", "SOL", "XRP", "ADA"]
  await open("90.000000", ...further.map((asset): [string, string] => [asset, "0.000000"]))
  await stage.press(stage.get("[role=switch]", "Hide zero balances"))
  await stage.type(stage.get("input", "Search a coin"), "kls")
  expect(coins()).toEqual([])
  await stage.press(stage.get("button", "Show everything"))
  expect(coins()).toEqual(["USDT", ...further])
})

test("as many as are seen at a glance have no search", async () => {
  await open("90.000000", ["KLS", "1.00000000"])
  expect(stage.count("input[type=search], input[aria-label='Search a coin']")).toBe(0)
})
