import { createMemoryHistory, createRouter } from "@tanstack/react-router"
import { beforeEach, expect, it, test } from "vitest"
import { routeTree } from "./routes.ts"

const OPEN = ["/login", "/register"]

async function visit(path: string): Promise<string> {
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) })
  await router.load()
  return router.state.location.href
}

beforeEach(() => localStorage.clear())

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
  localStorage.setItem("kalos.token", "token")
  expect(await visit("/")).toBe("/home")
})
