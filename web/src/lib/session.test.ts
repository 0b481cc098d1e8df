import { beforeEach, expect, test, vi } from "vitest"
import { endSession, getToken, onSession, onSessionEnd, sessionLost, startSession } from "./session.ts"

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  localStorage.clear()
  sessionStorage.clear()
})

test("a lost session is forgotten and the page loaded anew", () => {
  const reload = vi.fn()
  startSession("token")
  sessionLost(reload)
  expect([getToken(), reload.mock.calls.length]).toEqual([null, 1])
})

test("a server that refuses every token can't make the page reload in a circle", () => {
  const reload = vi.fn()
  for (let second = 0; second < 25; second++) {
    startSession("token")
    sessionLost(reload)
    vi.advanceTimersByTime(1000)
  }
  expect(reload).toHaveBeenCalledTimes(3)
})

test("several answers to one lost token reload once", () => {
  const reload = vi.fn()
  startSession("token")
  sessionLost(reload)
  sessionLost(reload)
  expect(reload).toHaveBeenCalledTimes(1)
})

test("the end of a session cleans up and is announced", () => {
  const clean = vi.fn()
  const heard = vi.fn()
  const stop = [onSessionEnd(clean), onSession(heard)]
  startSession("token")
  endSession()
  for (const end of stop) end()
  expect([clean.mock.calls.length, heard.mock.calls.length]).toEqual([1, 2])
})
