// @vitest-environment document
import { QueryClient, type QueryKey, QueryObserver } from "@tanstack/react-query"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { soon } from "../testing/soon.ts"
import { keepAnswers } from "./kept.ts"
import { endSession, forgetAnswers, startSession } from "./session.ts"
import type { Store } from "./store.ts"

const BUILD = "/assets/index-1.js"
const INFO = ["/api/user/info", {}]
const BALANCES = { account: "10000001", balances: [{ asset: "USDT", available: "12.5", held: "0" }] }

class Memory implements Store {
  record: unknown
  async read() {
    return this.record
  }
  async write(record: unknown, mayReplace: (present: unknown) => boolean) {
    const may = mayReplace(this.record)
    if (may) this.record = structuredClone(record)
    return may
  }
  async wipe() {
    this.record = undefined
  }
}

let store: Memory
const clients: QueryClient[] = []

/** A page as it starts: with a cache of its own. */
async function start(build = BUILD): Promise<QueryClient> {
  const client = new QueryClient()
  clients.push(client)
  await keepAnswers(client, store, build)
  return client
}

/** A screen that asks for it, and hasn't been answered yet. */
const asking = (client: QueryClient, queryKey: QueryKey) =>
  new QueryObserver(client, { queryKey, queryFn: () => new Promise(() => undefined) })
const shown = (client: QueryClient, key: QueryKey = INFO) => asking(client, key).getCurrentResult().data

/** Time for what was answered to be sealed and written. */
async function settle() {
  await vi.advanceTimersByTimeAsync(2000)
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done))
}

const written = () =>
  soon(async () => {
    await settle()
    expect(store.record).toBeDefined()
  })

async function saved(key: unknown[] = INFO, data: unknown = BALANCES, token = "token-a") {
  startSession(token)
  const client = await start()
  client.setQueryData(key, data)
  await written()
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_700_000_000_000 })
  await endSession()
  store = new Memory()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.clear()
})

test("the next page shows what was last seen, with the time of then", async () => {
  await saved()
  const at = Date.now()
  vi.advanceTimersByTime(3_600_000)
  const client = await start()
  const seen = asking(client, INFO).getCurrentResult()
  expect([seen.data, seen.isStale]).toEqual([BALANCES, true])
  expect(seen.dataUpdatedAt).toBeLessThanOrEqual(at)
})

test("a page that is loaded again at once asks again", async () => {
  await saved()
  const client = await start()
  asking(client, INFO)
  expect(client.getQueryState(INFO)).toMatchObject({ data: BALANCES, isInvalidated: true })
})

test("nothing of it can be read without the token", async () => {
  await saved()
  const { sealed } = store.record as { sealed: ArrayBuffer }
  expect(Buffer.from(sealed).toString("latin1")).not.toContain("10000001")
  expect(JSON.stringify(store.record)).not.toContain("token-a")
})

test("another account sees none of it, and it is wiped", async () => {
  await saved()
  const { record } = store
  localStorage.setItem("kalos.token", "token-b") // where no page of the first account was left to wipe it
  dispatchEvent(new Event("storage"))
  store.record = record
  const client = await start()
  expect([shown(client), store.record]).toEqual([undefined, undefined])
})

test("the end of a session wipes it, and what was about to be written stays unwritten", async () => {
  await saved()
  const client = await start()
  client.setQueryData(INFO, { ...BALANCES, account: "later" })
  await endSession()
  await settle()
  expect(store.record).toBeUndefined()
})

test("an answer that comes after the end of the session is not kept for the next", async () => {
  startSession("token-a")
  const client = await start()
  let resolve: (data: unknown) => void = () => undefined
  const promise = new Promise((done) => {
    resolve = done
  })
  const asked = client.fetchQuery({ queryKey: INFO, queryFn: () => promise })
  await endSession()
  client.clear()
  startSession("token-b")
  resolve(BALANCES)
  await asked.catch(() => undefined)
  await settle()
  expect(store.record).toBeUndefined()
})

test("a visitor's page wipes what was left", async () => {
  await saved()
  const { record } = store
  await endSession()
  store.record = record
  await start()
  expect(store.record).toBeUndefined()
})

test("another build doesn't show what this one kept", async () => {
  await saved()
  expect(shown(await start("/assets/index-2.js"))).toBeUndefined()
})

test("what is older than a week is not shown", async () => {
  await saved()
  vi.advanceTimersByTime(8 * 86_400_000)
  expect(shown(await start())).toBeUndefined()
})

test.each([
  ["a torn record", () => ({ build: BUILD, iv: new Uint8Array(12), sealed: new ArrayBuffer(40) })],
  ["another form", () => "7"],
  ["a record without seal", () => ({ build: BUILD })],
])("%s is wiped without harm", async (_name, make) => {
  startSession("token-a")
  store.record = make()
  await start()
  expect(store.record).toBeUndefined()
})

test.each([
  "/api/auth/captcha",
  "/api/user/securityLog",
  "/api/user/sessions",
  "/api/demo/inbox",
  "/api/user/getAuthToken",
])("%s is never kept", async (path) => {
  startSession("token-a")
  const client = await start()
  client.setQueryData([path, {}], { secret: 1 })
  client.setQueryData(INFO, BALANCES)
  await written()
  const next = await start()
  expect([shown(next, [path, {}]), shown(next)]).toEqual([undefined, BALANCES])
})

test("of a list the first page is kept", async () => {
  const key = ["/api/user/usdtLog", "pages", {}]
  const pages = [
    { list: [1, 2], next: "a" },
    { list: [3], next: null },
  ]
  await saved(key, { pages, pageParams: ["", "a"] })
  expect((await start()).getQueryCache().getAll()).toHaveLength(0) // only what is asked for comes back
  const client = await start()
  expect(shown(client, key)).toEqual({ pages: pages.slice(0, 1), pageParams: [""] })
})

const LOG = ["/api/user/usdtLog", {}]
const NEWS = ["/api/basic/news", {}]

test("two tabs keep both what each was answered", async () => {
  startSession("token-a")
  const [one, other] = [await start(), await start()]
  one.setQueryData(INFO, BALANCES)
  other.setQueryData(LOG, ["of the other"])
  await soon(async () => {
    await settle() // both write at one moment
    const next = await start()
    expect([shown(next), shown(next, LOG)]).toEqual([BALANCES, ["of the other"]])
  })
})

test("of what two tabs were both answered the newest stays, whichever writes last", async () => {
  startSession("token-a")
  const [one, other] = [await start(), await start()]
  one.setQueryData(INFO, "old")
  vi.advanceTimersByTime(1)
  other.setQueryData(INFO, "new")
  other.setQueryData(LOG, ["of the other"])
  await soon(async () => {
    await settle()
    expect(shown(await start(), LOG)).toEqual(["of the other"])
  })
  one.setQueryData(NEWS, ["later"])
  await soon(async () => {
    await settle()
    const next = await start()
    expect([shown(next), shown(next, LOG), shown(next, NEWS)]).toEqual(["new", ["of the other"], ["later"]])
  })
})

test.each([
  ["the session ends", endSession],
  ["the member clears the cache", forgetAnswers],
])("what is being sealed when %s stays unwritten", async (_when, end) => {
  startSession("token-a")
  const client = await start()
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
  const sealing = vi.spyOn(crypto.subtle, "encrypt").mockImplementationOnce(async (...how) => {
    await end()
    return encrypt(...how)
  })
  client.setQueryData(INFO, BALANCES)
  await soon(async () => {
    await settle()
    expect(sealing).toHaveBeenCalled()
  })
  await settle()
  expect(store.record).toBeUndefined()
})

test("what is kept has a bound: the newest stay", async () => {
  startSession("token-a")
  const client = await start()
  for (let row = 0; row < 100; row++) {
    client.setQueryData(["/api/user/usdtLog", { row }], "x".repeat(row === 99 ? 500_000 : 100))
    vi.advanceTimersByTime(1)
  }
  await written()
  const next = await start()
  const isShown = (row: number) => shown(next, ["/api/user/usdtLog", { row }]) !== undefined
  expect([99, 98, 41, 40, 39, 0].map(isShown)).toEqual([false, true, true, true, false, false])
})
