import { act } from "react"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type Stage, show } from "../testing/stage.tsx"
import { until } from "../testing/until.ts"
import { logOut } from "./logOut.ts"
import { dismiss, useNotices } from "./notices.ts"
import { getToken, startSession } from "./session.ts"
import { startTexts } from "./texts.ts"
import { TestServer } from "./wire/testServer.ts"

const PATH = "/api/auth/logout"
const server = new TestServer(location.origin)
/** What the server says to each log-out, the last for ever; null where it isn't to be had. */
let answers: (number | null)[]
let heard: string[]

let stage: Stage
const said = () => stage.text()
function Said() {
  const notices = useNotices()
  return notices.map(({ id, text }) => (
    <button type="button" key={id} onClick={() => dismiss(id)}>
      {text}
    </button>
  ))
}
const stored = () => [getToken(), localStorage.getItem("kalos.token")]

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

beforeAll(startTexts)
beforeEach(async () => {
  stage = await show(<Said />)
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now() })
  server.nowMs = Date.now()
  heard = []
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, location.origin)
    if (pathname !== PATH) return server.fetch(pathname, request)
    heard.push(new Headers(request.headers).get("Authorization") ?? "")
    const code = answers.length > 1 ? answers.shift() : answers[0]
    if (code == null) throw new TypeError("no network")
    server.reply = () => ({ code, msg: "said", data: {} })
    return server.fetch(pathname, request)
  })
  startSession("a")
})
afterEach(async () => {
  vi.useRealTimers()
  await act(async () => {
    for (const notice of document.querySelectorAll("button")) notice.click()
  })
  await stage.leave()
})

test.each([
  ["a session that the server ends", 200],
  ["a session that was none any more", 406],
])("%s is ended here at once, and nothing more is said", async (_which, code) => {
  answers = [code]
  await logOut()
  expect(stored()).toEqual([null, null])
  await pass(10)
  expect([heard, said()]).toEqual([["a"], ""])
})

test.each([
  ["turned away", 429],
  ["not answered", null],
  ["answered by a broken server", 503],
])("a log-out that is %s is told again before the page gives up", async (_how, first) => {
  answers = [first, 200]
  const leaving = logOut()
  await until(() => vi.getTimerCount() === 2) // the page's patience, and the pause
  expect(stored()).toEqual(["a", "a"])
  await pass(1)
  await leaving
  expect([stored(), heard, said()]).toEqual([[null, null], ["a", "a"], ""])
})

test("without a connection the session ends here after three seconds, the page says so, and ends it there later", async () => {
  answers = [null]
  const leaving = logOut()
  await until(() => vi.getTimerCount() === 2)
  await pass(1)
  await until(() => vi.getTimerCount() === 2)
  await pass(1.9)
  expect([stored(), said()]).toEqual([["a", "a"], ""])
  await pass(0.1)
  await leaving
  expect(stored()).toEqual([null, null])
  await until(() => said() !== "" && heard.length === 3 && vi.getTimerCount() === 1)
  expect(said()).toBe(
    "Logged out on this device. The server doesn't know yet: this page tells it while it is open.",
  )
  startSession("b") // whoever comes next is not meant
  answers = [200]
  await pass(4)
  await until(() => heard.length === 4)
  await pass(600)
  expect([heard, stored()]).toEqual([
    ["a", "a", "a", "a"],
    ["b", "b"],
  ])
})

test("a server that says nothing keeps nobody logged in for longer than three seconds", async () => {
  const asked = vi.fn(() => new Promise(() => undefined))
  vi.stubGlobal("fetch", asked)
  void logOut()
  await pass(3)
  expect(stored()).toEqual([null, null])
  // Sealed beside the page, it would go out in the next file.
  await until(() => asked.mock.calls.length > 0)
})

test("a session that another tab began meanwhile stays", async () => {
  const asked = vi.fn(() => new Promise(() => undefined))
  vi.stubGlobal("fetch", asked)
  void logOut()
  localStorage.setItem("kalos.token", "b") // the event is still on its way
  await pass(3)
  expect(stored()).toEqual(["b", "b"])
  // Sealed beside the page, it would go out in the next file.
  await until(() => asked.mock.calls.length > 0)
})
