import { beforeEach, expect, test, vi } from "vitest"
import { logOut } from "./logOut.ts"
import { getToken, startSession } from "./session.ts"

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("fetch", () => new Promise(() => undefined))
  startSession("a")
})

test("a server that says nothing keeps nobody logged in for longer than three seconds", async () => {
  void logOut()
  await vi.advanceTimersByTimeAsync(2999)
  expect(getToken()).toBe("a")
  await vi.advanceTimersByTimeAsync(1)
  expect([getToken(), localStorage.getItem("kalos.token")]).toEqual([null, null])
})

test("a session that another tab began meanwhile stays", async () => {
  void logOut()
  localStorage.setItem("kalos.token", "b") // the event is still on its way
  await vi.advanceTimersByTimeAsync(3000)
  expect([getToken(), localStorage.getItem("kalos.token")]).toEqual(["b", "b"])
})
