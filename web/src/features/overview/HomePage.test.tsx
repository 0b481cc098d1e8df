import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { callQuery, financeQuery, queryClient } from "../../lib/queries.ts"
import { endSession, startSession } from "../../lib/session.ts"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import HomePage from "./HomePage.tsx"

let stage: Stage

beforeEach(() => {
  startSession("token")
  vi.stubGlobal("fetch", () => new Promise(() => {}))
})
afterEach(async () => {
  await stage.leave()
  endSession()
  queryClient.clear()
  vi.unstubAllGlobals()
})

test("what is pressed stays where it is once it is known that somebody has yet to begin", async () => {
  queryClient.setQueryData(financeQuery().queryKey, {
    total: "0.000000",
    change_24h: "0.000000",
    price_source: { asset: "KLS", price: "0.5", at: 1, source: "ref_first" },
    history: [],
    list: [],
  })
  stage = await show(<HomePage />)
  const action = stage.get("a", "Withdraw")
  action.focus()
  expect(stage.text()).not.toContain("Three steps to begin")
  await act(async () => {
    for (const path of ["/api/user/usdtLog", "/api/user/klsLog"] as const)
      queryClient.setQueryData(callQuery(path, { size: 3 }).queryKey, { list: [] } as never)
  })
  await soon(() => expect(stage.text()).toContain("Three steps to begin"))
  expect(document.activeElement).toBe(action)
})
