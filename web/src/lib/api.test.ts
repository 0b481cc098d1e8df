// @vitest-environment document
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { call, Refusal, ServerError } from "./api.ts"
import { warn } from "./notices.ts"
import { endSession, getToken, startSession } from "./session.ts"
import { startTexts } from "./texts.ts"
import { TestServer } from "./wire/testServer.ts"

vi.mock("./notices.ts", async (original) => ({
  ...(await original<object>()),
  warn: vi.fn(),
}))

const PATH = "/api/game/orderList"
const server = new TestServer(location.origin)
const reload = vi.fn()
/** What happens before the server hears a request. */
let onWay: () => Promise<unknown>
let status: number

const told = () => sessionStorage.getItem("kalos.told")

beforeAll(startTexts)
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 })
  server.nowMs = Date.now()
  sessionStorage.clear()
  localStorage.clear()
  reload.mockClear()
  vi.mocked(warn).mockClear()
  onWay = async () => undefined
  status = 200
  server.reply = () => ({ code: 200, msg: "Done", data: { list: [] } })
  vi.stubGlobal("location", { origin: location.origin, host: location.host, reload })
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, location.origin)
    if (pathname === PATH) await onWay()
    const answer = await server.fetch(pathname, request)
    return pathname === PATH ? new Response(await answer.text(), { status }) : answer
  })
  startSession("token-a")
})
afterEach(() => endSession())

const refuse = (code: number, error: string) => {
  server.reply = () => ({ code, msg: "said by the server", data: { error } })
}

test("a refusal tells the server's sentence, its code and its name, and ends nothing", async () => {
  refuse(409, "conflict")
  const refused = await call(PATH, {}).catch((problem: unknown) => problem)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 409, error: "conflict", message: "said by the server" })
  expect(getToken()).toBe("token-a")
})

test("a toast says what was refused: read out unless the screen does so, seldom where nobody has pressed", async () => {
  refuse(409, "conflict")
  await call(PATH, {}).catch(() => undefined)
  await call(PATH, {}, { quiet: true }).catch(() => undefined)
  await call(PATH, {}, { seldom: true }).catch(() => undefined)
  expect(vi.mocked(warn).mock.calls).toEqual([
    ["said by the server", {}],
    ["said by the server", { quiet: true }],
    ["said by the server", { seldom: true }],
  ])
  await call(PATH, {}, { untold: true }).catch(() => undefined)
  expect(vi.mocked(warn).mock.calls).toHaveLength(3)
})

test("a toast says that no answer came, unless the screen itself does", async () => {
  status = 500
  await call(PATH, {}).catch(() => undefined)
  expect(vi.mocked(warn).mock.calls).toEqual([["Server error, please try again later"]])
  await call(PATH, {}, { quiet: true }).catch(() => undefined)
  await call(PATH, {}, { seldom: true }).catch(() => undefined)
  expect(vi.mocked(warn).mock.calls).toHaveLength(1)
})

test("a session that ended is told also where the call was quiet, and where no page is loaded anew", async () => {
  refuse(406, "session_ended")
  await call(PATH, {}, { quiet: true }).catch(() => undefined)
  expect([told(), vi.mocked(warn).mock.calls.flat()]).toEqual(["said by the server", []])
  startSession("token-b")
  await call(PATH, {}, { quiet: true }).catch(() => undefined)
  expect([reload.mock.calls.length, vi.mocked(warn).mock.calls.flat()]).toEqual([1, ["said by the server"]])
})

test("406 forgets the token, loads the page anew and leaves its sentence for then", async () => {
  refuse(406, "session_ended")
  await expect(call(PATH, {})).rejects.toMatchObject({ code: 406 })
  expect([getToken(), localStorage.getItem("kalos.token"), reload.mock.calls.length, told()]).toEqual([
    null,
    null,
    1,
    "said by the server",
  ])
})

test("five calls that hear 406 at once load the page anew once", async () => {
  refuse(406, "session_ended")
  await Promise.allSettled(Array.from({ length: 5 }, () => call(PATH, {})))
  expect([getToken(), reload.mock.calls.length]).toEqual([null, 1])
})

test("a 406 for the session before doesn't end the present one", async () => {
  refuse(406, "session_ended")
  onWay = async () => {
    await endSession()
    startSession("token-b")
  }
  await expect(call(PATH, {})).rejects.toBeInstanceOf(ServerError)
  expect([getToken(), reload.mock.calls.length]).toEqual(["token-b", 0])
})

test("an answer that was asked for in another session is given to nobody", async () => {
  onWay = async () => {
    await endSession()
    startSession("token-b")
  }
  await expect(call(PATH, {})).rejects.toBeInstanceOf(ServerError)
})

test.each([500, 502, 404, 201])("HTTP %d is a server error, whatever it says", async (found) => {
  status = found
  await expect(call(PATH, {})).rejects.toMatchObject({ message: "Server error, please try again later" })
  expect(getToken()).toBe("token-a")
})
