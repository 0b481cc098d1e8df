import { beforeEach, expect, test, vi } from "vitest"
import type { Build } from "./build.ts"
import { Worker } from "./worker.ts"

const ORIGIN = "https://kalos.example"
const A: Build = {
  id: "a",
  entry: "/assets/index-aaaaaaaa.js",
  shell: ["/assets/index-aaaaaaaa.js", "/assets/shell-aaaaaaaa.css", "/icon.svg"],
  parts: ["/assets/HomePage-aaaaaaaa.js", "/assets/vi-aaaaaaaa.js", "/assets/GamePage-aaaaaaaa.js"],
  texts: ["/assets/vi-aaaaaaaa.js"],
}
const B = JSON.parse(JSON.stringify(A).replaceAll("aaaaaaaa", "bbbbbbbb").replace('"a"', '"b"')) as Build
const page = (build: Build) =>
  `<head><script src="${build.entry}"></script><meta name="kalos-wire-keys" content="{&quot;keys&quot;:1}"><meta name="kalos-mode" content="demo"></head>`

/** The browser's cache storage, as far as the worker uses it. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>()
  readonly fetch: typeof globalThis.fetch
  constructor(fetch: typeof globalThis.fetch) {
    this.fetch = fetch
  }
  async keys() {
    return [...this.all.keys()]
  }
  async delete(name: string) {
    return this.all.delete(name)
  }
  async match(path: string, { cacheName }: MultiCacheQueryOptions = {}) {
    const held = [...this.all].filter(([name, rows]) => (cacheName ?? name) === name && rows.has(path))
    return held[0]?.[1].get(path)?.clone()
  }
  async open(name: string) {
    const rows = this.all.get(name) ?? new Map<string, Response>()
    this.all.set(name, rows)
    const add = async (path: string) => {
      const answer = await this.fetch(path)
      if (!answer.ok) throw new TypeError(path)
      rows.set(path, answer)
    }
    return {
      match: async (path: string) => rows.get(path)?.clone(),
      keys: async () => [...rows.keys()].map((path) => ({ url: ORIGIN + path })),
      put: async (path: string, answer: Response) => void rows.set(path, answer),
      add,
      addAll: async (paths: string[]) => void (await Promise.all(paths.map(add))),
    }
  }
}

let server: (path: string) => Promise<Response>
let asked: string[]
let caches: Caches

const serve = (build: Build) => async (path: string) =>
  path === "/" || !path.includes(".")
    ? new Response(page(build), {
        headers: { "content-security-policy": "default-src 'none'", "content-encoding": "br" },
      })
    : [...build.shell, ...build.parts].includes(path)
      ? new Response(`${build.id}: ${path}`)
      : new Response("", { status: 404 })
const away = () => Promise.reject(new TypeError("away"))

const fetching = (async (target: string | Request) => {
  const path = typeof target === "string" ? target : new URL(target.url).pathname
  asked.push(path)
  return server(path)
}) as typeof globalThis.fetch

const workerOf = (build: Build) =>
  new Worker(build, { caches: caches as unknown as CacheStorage, fetch: fetching, origin: ORIGIN })

beforeEach(() => {
  asked = []
  caches = new Caches(fetching)
  server = serve(A)
})

const none = Promise.resolve(undefined)
/** Node's Request takes no "navigate": only a browser makes such. */
const asking = (path: string, { mode = "cors", method = "GET" } = {}) =>
  ({ url: new URL(path, ORIGIN).href, mode, method }) as Request
const going = (path: string) => asking(path, { mode: "navigate" })
const textOf = async (answer: Promise<Response> | null) => (await answer)?.text()
const cached = () => [...caches.all.values()].flatMap((rows) => [...rows.keys()])

async function installed(build: Build): Promise<Worker> {
  const worker = workerOf(build)
  await worker.install()
  await worker.activate()
  return worker
}

test("the shell is there without a network, at every screen", async () => {
  const worker = await installed(A)
  server = away
  for (const path of ["/home", "/node1?coin=KLS", "/"])
    expect(await textOf(worker.answerTo(going(path), none))).toContain(A.entry)
  for (const path of A.shell) expect(await textOf(worker.answerTo(asking(path), none))).toBe(`a: ${path}`)
})

test("the kept page has no keys, keeps its policy, and the rest of its tags", async () => {
  const worker = await installed(A)
  server = away
  const answer = await worker.answerTo(going("/home"), none)
  const text = await answer?.text()
  expect(text).not.toContain("kalos-wire-keys")
  expect(text).toContain("kalos-mode")
  expect(answer?.headers.get("content-security-policy")).toBe("default-src 'none'")
  expect(answer?.headers.get("content-encoding")).toBeNull()
})

test("with a network the page is the server's own, keys and all, and isn't put into the cache", async () => {
  const worker = await installed(A)
  const before = cached()
  expect(await textOf(worker.answerTo(going("/home"), none))).toContain("kalos-wire-keys")
  expect(await textOf(worker.answerTo(going("/home"), Promise.resolve(new Response("preloaded"))))).toBe(
    "preloaded",
  )
  expect(cached()).toEqual(before)
})

test("a server that is down or slow is no reason to show nothing", async () => {
  vi.useFakeTimers()
  const worker = await installed(A)
  server = async () => new Response("bad gateway", { status: 502 })
  expect(await textOf(worker.answerTo(going("/home"), none))).toContain(A.entry)
  server = () => new Promise(() => undefined)
  const answer = textOf(worker.answerTo(going("/home"), none))
  await vi.advanceTimersByTimeAsync(4000)
  expect(await answer).toContain(A.entry)
  vi.useRealTimers()
})

test("what the server says of its own accord is shown as it is", async () => {
  const worker = await installed(A)
  server = async () => new Response("gone", { status: 404 })
  expect(await textOf(worker.answerTo(going("/home"), none))).toBe("gone")
})

const NOT_OURS = [
  "/api/user/info",
  "/api/wire/open",
  "/api/upload/abc.png",
  "/v1/order/list",
  "/.well-known/wire-keys",
  "/ws",
  "/healthz",
  "/readyz",
  "/operator",
  "/operator/withdrawals",
  "/openapi.json",
  "/sw.js",
]
test.each(NOT_OURS)("%s never meets the worker", async (path) => {
  const worker = await installed(A)
  const before = cached()
  asked = []
  for (const request of [asking(path), going(path), asking(path, { method: "POST" })])
    expect(worker.answerTo(request, none)).toBeNull()
  await worker.keep([path])
  expect([asked, cached()]).toEqual([[], before])
})

test("calls, other methods and other origins are left to the browser", async () => {
  const worker = await installed(A)
  expect(worker.answerTo(asking("https://evil.example/assets/index-aaaaaaaa.js"), none)).toBeNull()
  expect(worker.answerTo(asking("/assets/index-aaaaaaaa.js", { method: "POST" }), none)).toBeNull()
  expect(worker.answerTo(asking("/home", { method: "POST", mode: "navigate" }), none)).toBeNull()
})

test("only the build's own files are kept, whatever comes under their folder", async () => {
  const worker = await installed(A)
  server = async () => new Response("planted")
  const before = cached()
  expect(await textOf(worker.answerTo(asking("/assets/evil-12345678.js"), none))).toBe("planted")
  await worker.keep(["/assets/evil-12345678.js", "/home"])
  expect(cached()).toEqual(before)
})

test("a part that was used, also before the worker was there, is there without a network", async () => {
  const worker = await installed(A)
  const [home, texts, game] = A.parts as [string, string, string]
  await textOf(worker.answerTo(asking(home), none))
  await worker.keep([texts])
  server = away
  for (const path of [home, texts])
    expect(await textOf(worker.answerTo(asking(path), none))).toBe(`a: ${path}`)
  await expect(worker.answerTo(asking(game), none)).rejects.toThrow("away")
})

test("an answer that is an error isn't kept", async () => {
  const worker = await installed(A)
  server = async () => new Response("", { status: 503 })
  const [home] = A.parts as [string]
  await textOf(worker.answerTo(asking(home), none))
  expect(cached()).not.toContain(home)
})

test("a new build brings what was used of the old one, and nothing else", async () => {
  const first = await installed(A)
  await first.keep(A.parts.slice(0, 2))
  server = serve(B)
  const second = await installed(B)
  server = away
  for (const path of B.parts.slice(0, 2))
    expect(await textOf(second.answerTo(asking(path), none))).toBe(`b: ${path}`)
  expect(cached()).not.toContain(B.parts[2])
})

test("the build before the last one stays for the tabs that show it, those before it go", async () => {
  const first = await installed(A)
  await first.keep([...A.parts])
  server = serve(B)
  const second = await installed(B)
  server = away
  const [home] = A.parts as [string]
  expect(await textOf(second.answerTo(asking(home), none))).toBe(`a: ${home}`)
  server = serve({ ...B, entry: A.entry })
  await installed({ ...B, id: "c", entry: A.entry })
  expect(await caches.keys()).toEqual(["kalos-b", "kalos-c"])
})

test("what has one name in all builds comes from this one", async () => {
  await installed(A)
  server = serve(B)
  const second = await installed(B)
  server = away
  expect(await textOf(second.answerTo(asking("/icon.svg"), none))).toBe("b: /icon.svg")
})

test.each(["/icon.svg", "/assets/vi-bbbbbbbb.js"])(
  "an install that lacks %s leaves no trace, and the build before stays whole",
  async (lost) => {
    const first = await installed(A)
    await first.keep([...A.parts])
    await installed({ ...A, id: "a2" })
    server = async (path) => (path === lost ? new Response("", { status: 503 }) : serve(B)(path))
    await expect(workerOf(B).install()).rejects.toThrow()
    expect(await caches.keys()).toEqual(["kalos-a", "kalos-a2"])
  },
)

test("a part that is no text may be missing at the install", async () => {
  const first = await installed(A)
  await first.keep([...A.parts])
  server = async (path) => (path.includes("GamePage") ? new Response("", { status: 503 }) : serve(B)(path))
  await installed(B)
  expect(cached()).toContain("/assets/HomePage-bbbbbbbb.js")
})

test("others' caches stay", async () => {
  await caches.open("others")
  await installed(A)
  await installed({ ...A, id: "c" })
  await installed({ ...A, id: "d" })
  expect(await caches.keys()).toEqual(["others", "kalos-c", "kalos-d"])
})

test.each([
  [
    "has another build, and the files of this one still,",
    () => (path: string) => (path === "/" ? serve(B) : serve(A))(path),
  ],
  [
    "lacks a file of the shell",
    () => async (path: string) => (path === "/icon.svg" ? new Response("", { status: 404 }) : serve(A)(path)),
  ],
  ["answers with an error", () => async () => new Response(page(A), { status: 503 })],
])("a server that %s makes no worker", async (_name, make) => {
  server = make()
  await expect(workerOf(A).install()).rejects.toThrow()
  expect(await caches.keys()).toEqual([])
})

test("a build that is there already outlives an install of it that fails", async () => {
  await installed(A)
  server = async (path) => (path === "/icon.svg" ? new Response("", { status: 503 }) : serve(A)(path))
  await expect(workerOf(A).install()).rejects.toThrow()
  expect(await caches.keys()).toEqual(["kalos-a"])
})
