import { beforeEach, expect, test, vi } from "vitest"
import { soon } from "../../testing/soon.ts"
import type { Body } from "../calls.ts"
import { Wire, WireFailure } from "./call.ts"
import type { WireKey } from "./keys.ts"
import { TestServer } from "./testServer.ts"

const ORIGIN = "https://kalos.example"
/** Any call whose fields may all be left out. */
const PATH = "/api/game/orderList"
const CALLER = { token: "t", lang: "vi" }
let server: TestServer
let key: WireKey | null
let nowMs: number
let wire: Wire
const heardTime = vi.fn()

beforeEach(async () => {
  heardTime.mockClear()
  server = new TestServer(ORIGIN)
  key = await server.key()
  nowMs = Date.now()
  wire = new Wire({ fetch: server.fetch, origin: ORIGIN, key: () => key, nowMs: () => nowMs, heardTime })
})

const paths = () => server.sent.map(({ path }) => path)

test("the server's clock is told on", async () => {
  await wire.call(PATH, {}, CALLER)
  expect(heardTime.mock.calls).toEqual([[Math.floor(server.nowMs / 1000)]])
})

test("a call is sealed, signed and answered", async () => {
  const answer = await wire.call(PATH, { game: "é 🎲", none: undefined } as Body<typeof PATH>, CALLER)
  expect(answer).toEqual({ code: 200, msg: "Done", data: { game: "é 🎲" } })
  expect(paths()).toEqual(["/api/wire/open", PATH])
  const sent = server.sent[1]
  expect(Object.keys(sent?.body ?? {})).toEqual(["v", "sid", "data"])
  expect(sent?.headers.get("authorization")).toBe("t")
  expect(sent?.headers.get("lang")).toBe("vi")
})

test("a visitor sends no token", async () => {
  await wire.call(PATH, {}, { token: "", lang: "en" })
  expect(server.sent[1]?.headers.has("authorization")).toBe(false)
})

test("one channel serves calls that start together", async () => {
  wire.warm()
  await Promise.all(["a", "b", "c"].map((value) => wire.call(PATH, { game: value }, CALLER)))
  expect(paths().filter((path) => path === "/api/wire/open")).toHaveLength(1)
})

test("a refusal is an answer", async () => {
  server.reply = () => ({ code: 422, msg: "số dư không đủ", data: { error: "insufficient_balance" } })
  expect(await wire.call(PATH, {}, CALLER)).toMatchObject({
    code: 422,
    data: { error: "insufficient_balance" },
  })
})

test("a call whose bytes have come already is a failure: what the first of them did is unknown", async () => {
  server.reply = () => ({ code: 462, msg: "Already sent", data: { error: "replay" } })
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow(WireFailure)
  expect(paths()).toEqual(["/api/wire/open", PATH])
})

test("a lost channel is opened anew and the same body sent once more", async () => {
  await wire.call(PATH, {}, CALLER)
  server.forgetChannels()
  const answer = await wire.call(PATH, { game: "again", after: "17" }, CALLER)
  expect(answer.code).toBe(200)
  expect(paths()).toEqual(["/api/wire/open", PATH, PATH, "/api/wire/open", PATH])
  expect(server.opened.at(-1)).toMatchObject({ game: "again", after: "17" })
})

test("a channel that is lost again and again ends in an answer", async () => {
  server.forge = (answer, path) => (path === PATH ? { code: 463, msg: "ended", data: null } : answer)
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(463)
  expect(paths().filter((path) => path === PATH)).toHaveLength(2)
})

test("a page's wrong clock is set by the server's when the channel opens", async () => {
  nowMs -= 3_600_000
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
  expect(paths()).toHaveLength(2)
})

test("a clock that goes wrong later is corrected once", async () => {
  await wire.call(PATH, {}, CALLER)
  nowMs += 600_000
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
  expect(paths()).toHaveLength(4)
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
  expect(paths()).toHaveLength(5)
})

test("an unknown wire key is fetched anew", async () => {
  key = { ...(key as WireKey), kid: "of last week" }
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
  expect(paths()).toEqual(["/api/wire/open", "/api/wire/open", PATH])
})

test("a page without keys fetches them", async () => {
  key = null
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
})

test.each([200, 400, 401, 406, 422, 429, 461, 462])(
  "a plain answer with code %i is refused",
  async (code) => {
    server.forge = (answer, path) =>
      path === PATH ? { code, msg: "Done", data: { token: "stolen" } } : answer
    await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow(WireFailure)
  },
)

test.each([460, 464])(
  "a plain answer with code %i comes through, without what stands in it",
  async (code) => {
    server.forge = (answer, path) => (path === PATH ? { code, msg: "no", data: { token: "stolen" } } : answer)
    expect(await wire.call(PATH, {}, CALLER)).toEqual({ code, msg: "", data: null })
  },
)

test.each([
  ["another code", (answer: Record<string, unknown>) => ({ ...answer, code: 201 })],
  ["another sentence", (answer: Record<string, unknown>) => ({ ...answer, msg: "Paid" })],
  [
    "damaged data",
    (answer: Record<string, unknown>) => ({
      ...answer,
      data: String(answer.data).replace(/^./, (first) => (first === "A" ? "B" : "A")),
    }),
  ],
  ["no data", (answer: Record<string, unknown>) => ({ ...answer, data: null })],
  ["no base64", (answer: Record<string, unknown>) => ({ ...answer, data: "%%%" })],
])("a forged answer is refused: %s", async (_, change) => {
  server.forge = (answer, path) => (path === PATH ? change(answer) : answer)
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow(WireFailure)
})

test("the answer to another request is refused", async () => {
  const answers: unknown[] = []
  server.forge = (answer, path) => {
    if (path !== PATH) return answer
    answers.push(answer)
    return answers[0]
  }
  await wire.call(PATH, { game: "a" }, CALLER)
  await expect(wire.call(PATH, { game: "b" }, CALLER)).rejects.toThrow(WireFailure)
})

test("a failed opening is tried again at the next call", async () => {
  const { fetch } = server
  let down = true
  const flaky = ((...request: Parameters<typeof fetch>) =>
    down ? Promise.reject(new TypeError("offline")) : fetch(...request)) as typeof globalThis.fetch
  wire = new Wire({ fetch: flaky, origin: ORIGIN, key: () => key, nowMs: () => nowMs, heardTime })
  wire.warm()
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow("offline")
  down = false
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
})

test("an HTTP status other than 200 is a failure, and holds no connection", async () => {
  const error = new Response("Server error", { status: 503 })
  const fetch = (async () => error) as typeof globalThis.fetch
  wire = new Wire({ fetch, origin: ORIGIN, key: () => key, nowMs: () => nowMs, heardTime })
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow(WireFailure)
  expect(error.bodyUsed).toBe(true)
})

test.each([
  ["its keys", false],
  ["an answer", true],
])("a server that never sends %s is given up after twenty seconds", async (_what, keyed) => {
  if (!keyed) key = null
  const patience = new AbortController()
  const waits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal)
  const silent = vi.fn<typeof globalThis.fetch>(
    (_path, request) =>
      new Promise((_done, fail) => {
        request?.signal?.addEventListener("abort", () => fail(request.signal?.reason))
      }),
  )
  const slow = new Wire({ fetch: silent, origin: ORIGIN, key: () => key, nowMs: () => nowMs, heardTime })
  const call = slow.call(PATH, {}, CALLER)
  await soon(() => expect(silent).toHaveBeenCalledOnce())
  expect(waits).toHaveBeenLastCalledWith(20_000)
  patience.abort(new Error("too late"))
  await expect(call).rejects.toThrow("too late")
})
