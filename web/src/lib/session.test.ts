// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"
import { keepInvitation, keptInvitation } from "./invitation.ts"
import { endSession, getToken, onSession, onSessionEnd, sessionLost, startSession } from "./session.ts"

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  await endSession()
  localStorage.clear()
  sessionStorage.clear()
})

/** What another tab does: the storage changes first, the event comes after it. */
async function elsewhere(token: string | null, tell = "storage") {
  if (token === null) localStorage.removeItem("kalos.token")
  else localStorage.setItem("kalos.token", token)
  dispatchEvent(new Event(tell))
  await vi.advanceTimersByTimeAsync(0)
}

test("a lost session is forgotten and the page loaded anew", async () => {
  const reload = vi.fn()
  startSession("token")
  expect(await sessionLost("token", reload)).toBe(true)
  expect([getToken(), localStorage.getItem("kalos.token"), reload.mock.calls.length]).toEqual([null, null, 1])
})

test("who has come in leaves no invitation to the next in this tab", () => {
  keepInvitation("KALOS1")
  startSession("token")
  expect([keptInvitation(), sessionStorage.getItem("kalos.invitation")]).toEqual(["", null])
})

test("a server that refuses every token can't make the page reload in a circle", async () => {
  const reload = vi.fn()
  for (let second = 0; second < 25; second++) {
    startSession("token")
    await sessionLost("token", reload)
    vi.advanceTimersByTime(1000)
  }
  expect(reload).toHaveBeenCalledTimes(3)
})

test("many answers to one lost token reload once", async () => {
  const reload = vi.fn()
  startSession("token")
  await Promise.all(Array.from({ length: 5 }, () => sessionLost("token", reload)))
  expect(reload).toHaveBeenCalledTimes(1)
})

test("where another tab has reloaded for it already, this one doesn't", async () => {
  const reload = vi.fn()
  startSession("token")
  localStorage.setItem("kalos.reloaded", String(Date.now() - 500)) // what the other tab left
  expect([await sessionLost("token", reload), getToken(), reload.mock.calls.length]).toEqual([false, null, 0])
})

test("an answer to an old token doesn't end the session that another tab has begun", async () => {
  const reload = vi.fn()
  startSession("old")
  localStorage.setItem("kalos.token", "new") // the event is still on its way
  expect(await sessionLost("old", reload)).toBe(false)
  expect([getToken(), localStorage.getItem("kalos.token"), reload.mock.calls.length]).toEqual([
    "new",
    "new",
    0,
  ])
})

test("the reload waits until everything is wiped, but not for ever", async () => {
  const order: string[] = []
  let wiped: () => void = () => undefined
  const wiping = new Promise<void>((done) => {
    wiped = done
  })
  const stop = onSessionEnd(() => wiping.then(() => order.push("wiped")))
  startSession("token")
  const lost = sessionLost("token", () => order.push("reload"))
  await vi.advanceTimersByTimeAsync(100)
  wiped()
  await lost
  expect(order).toEqual(["wiped", "reload"])
  stop()
  const stuck = onSessionEnd(() => new Promise(() => undefined))
  startSession("token")
  vi.advanceTimersByTime(20_000)
  const again = sessionLost("token", () => order.push("reload"))
  await vi.advanceTimersByTimeAsync(1000)
  await again
  stuck()
  expect(order).toEqual(["wiped", "reload", "reload"])
})

test("whom the door mailed a code is forgotten with the log-in: the next at this door is another", () => {
  sessionStorage.setItem("kalos.codeSent", "{}")
  startSession("token")
  expect(sessionStorage.getItem("kalos.codeSent")).toBeNull()
})

test("the end of a session cleans up and is announced", async () => {
  const clean = vi.fn()
  const heard = vi.fn()
  const stop = [onSessionEnd(clean), onSession(heard)]
  startSession("token")
  await endSession()
  for (const end of stop) end()
  expect([clean.mock.calls.length, heard.mock.calls.length]).toEqual([1, 2])
})

const STORED = {
  "kalos.payment.bet": "{}",
  "kalos.receipts": "[]",
  "kalos.sent.bind": "{}",
  "kalos.read": "[]",
  "kalos.settings": "{}",
}
function fill() {
  for (const store of [localStorage, sessionStorage])
    for (const [key, value] of Object.entries(STORED)) store.setItem(key, value)
}
const left = () => [localStorage, sessionStorage].map((store) => Object.keys(store))

test("the end of a session wipes what is stored of the member, whoever stored it", async () => {
  startSession("a")
  fill()
  await endSession()
  expect(left()).toEqual([["kalos.settings"], ["kalos.settings"]])
})

test("a page that begins without a session finds nothing of an earlier one, one with a session keeps it", async () => {
  fill()
  localStorage.setItem("kalos.token", "a")
  vi.resetModules()
  await import("./session.ts")
  expect(left()[1]).toHaveLength(Object.keys(STORED).length)
  localStorage.removeItem("kalos.token")
  vi.resetModules()
  await import("./session.ts")
  expect(left()).toEqual([["kalos.settings"], ["kalos.settings"]])
})

test.each([
  ["log-out", "a", null, 1],
  ["another account", "a", "b", 1],
  ["log-in", null, "b", 0],
  ["nothing new", "a", "a", 0],
])("%s in another tab counts here at once", async (_name, before, after, cleaned) => {
  if (before !== null) startSession(before)
  const clean = vi.fn()
  const stop = onSessionEnd(clean)
  await elsewhere(after)
  stop()
  expect([getToken(), clean.mock.calls.length]).toEqual([after, cleaned])
})

test.each(["pageshow", "focus"])("a page that missed it takes note at %s", async (event) => {
  startSession("a")
  await elsewhere(null, event)
  expect(getToken()).toBeNull()
})
