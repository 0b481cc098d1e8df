// @vitest-environment document
import { createMemoryHistory, createRouter } from "@tanstack/react-router"
import { beforeEach, expect, it, test } from "vitest"
import { endSession, startSession } from "../lib/session.ts"
import { routeTree } from "./routes.ts"

const OPEN = ["/login", "/register"]

async function routerAt(path: string) {
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) })
  await router.load()
  return router
}

const visit = async (path: string): Promise<string> => (await routerAt(path)).state.location.href

beforeEach(() => endSession())

it.each(["/home", "/node1?coin=KLS", "/game1?game=odd_even&view=bets", "/card", "/no-such-page"])(
  "%s leads a visitor to log-in and names itself for afterwards",
  async (path) => {
    const href = new URL(await visit(path), "https://kalos.example")
    expect([href.pathname, href.searchParams.get("redirect")?.split("?")[0]]).toEqual([
      "/login",
      path.split("?")[0],
    ])
  },
)

it.each(OPEN)("%s is open to visitors", async (path) => {
  expect(await visit(path)).toBe(path)
})

test("the root leads to home", async () => {
  startSession("token")
  expect(await visit("/")).toBe("/home")
})

it.each([
  ["/login", "/home"],
  ["/register", "/home"],
  ["/register?code=KALOS1", "/home"],
  ["/login?redirect=%2Fnode1%3Fcoin%3DKLS", "/node1?coin=KLS"],
  ["/login?redirect=%2F%2Fevil.example", "/home"],
  ["/login?redirect=%2F%2509%2Fevil.example", "/home"],
  ["/login?redirect=javascript%3Aalert(1)", "/home"],
  ["/login?redirect=%2Flogin%3Fredirect%3D%2Flogin", "/home"],
  ["/login?redirect=7", "/home"],
  ["/login?redirect=%5B%22%2Fnode%22%5D", "/home"],
])("%s leads a member to %s", async (path, to) => {
  startSession("token")
  expect(await visit(path)).toBe(to)
})

it.each([
  ["/node1?tab=withdrawals&coin=kls&status=x", { coin: "KLS" }],
  ["/node3?status=nobody&tab=hash", { tab: "hash" }],
  ["/node4?coin=DOGE&wallet=1%2F2", {}],
  ["/home?redirect=%2Fcard", {}],
])("a screen gets what its search knows, and no other word of the address", async (path, known) => {
  startSession("token")
  const screen = (await routerAt(path)).state.matches.at(-1)
  expect(JSON.parse(JSON.stringify(screen?.search))).toEqual(known)
})
