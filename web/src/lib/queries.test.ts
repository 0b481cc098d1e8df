// @vitest-environment jsdom
import { expect, test, vi } from "vitest"
import { firstCalls } from "./firstCalls.ts"
import { queryClient, takeFirst } from "./queries.ts"
import { startSession } from "./session.ts"
import { setSettings } from "./settings.ts"

const isStale = () => queryClient.getQueryState(["texts"])?.isInvalidated

test("another language asks anew for what the server said, another theme doesn't", () => {
  queryClient.setQueryData(["texts"], "Hello")
  setSettings({ theme: "paper" })
  expect(isStale()).toBe(false)
  setSettings({ language: "vn" })
  expect(isStale()).toBe(true)
})

test("the first screen's answers are taken before it is drawn, and waited for only a moment", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined)) // a server that says nothing
  history.replaceState(null, "", "/home")
  await takeFirst()
  expect(queryClient.getQueryCache().findAll({ fetchStatus: "fetching" })).toEqual([])
  startSession("a token")
  await takeFirst()
  const asked = queryClient.getQueryCache().findAll({ fetchStatus: "fetching" })
  expect(asked.map(({ queryKey: [path] }) => path)).toEqual(firstCalls("/home", "a token"))
})
