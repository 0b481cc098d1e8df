// @vitest-environment node
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core"
import { beforeEach, expect, test } from "vitest"
import type { Body } from "../calls.ts"
import { type Bytes, fromBase64, join, random, sha256, text, toBase64, toHex, utf8 } from "./bytes.ts"
import { Wire, WireFailure } from "./call.ts"
import { deriveKeys, helloInfo } from "./channel.ts"
import type { WireKey } from "./keys.ts"
import { type Fields, sign, signingString } from "./sign.ts"

const ORIGIN = "https://kalos.example"
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** The other end of the wire, by the book: it opens channels and requests and seals what `reply` says. */
class Server {
  readonly sent: { path: string; body: Record<string, unknown>; headers: Headers }[] = []
  readonly opened: Fields[] = []
  private readonly channels = new Map<string, Bytes>()
  private pair: CryptoKeyPair | null = null
  kid = "first"
  nowMs = Date.now()
  reply: (inner: Fields) => { code: number; msg: string; data: unknown } = (inner) => ({
    code: 200,
    msg: "Done",
    data: { game: inner.game },
  })
  /** What happens to an answer on its way. */
  forge: (answer: Record<string, unknown>, path: string) => unknown = (answer) => answer

  async key(): Promise<WireKey> {
    this.pair ??= await suite.kem.generateKeyPair()
    return {
      kid: this.kid,
      publicKey: new Uint8Array(await suite.kem.serializePublicKey(this.pair.publicKey)),
    }
  }

  forgetChannels(): void {
    this.channels.clear()
  }

  readonly fetch = async (path: unknown, request?: RequestInit): Promise<Response> => {
    if (path === "/.well-known/wire-keys") {
      const { kid, publicKey } = await this.key()
      const row = { kid, kem: 16, kdf: 1, aead: 2, pk: toBase64(publicKey) }
      return Response.json({ keys: [{ ...row, aead: 3 }, row], server_time: Math.floor(this.nowMs / 1000) })
    }
    const body = JSON.parse(String(request?.body)) as Record<string, unknown>
    const headers = new Headers(request?.headers)
    this.sent.push({ path: String(path), body, headers })
    const answer =
      path === "/api/wire/open" ? await this.open(body) : await this.answer(String(path), body, headers)
    return Response.json(this.forge(answer, String(path)))
  }

  private async open({ kid, hello }: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (kid !== this.kid) return { code: 463, msg: "ended", data: { error: "unknown_channel" } }
    const raw = fromBase64(String(hello))
    const recipientKey = this.pair as CryptoKeyPair
    const how = { recipientKey, enc: raw.slice(0, 65).buffer, info: helloInfo(this.kid, ORIGIN).buffer }
    const seed = new Uint8Array(await suite.open(how, raw.slice(65).buffer))
    const [sid, salt] = [toHex(random(16)), random(32)]
    this.channels.set(sid, await deriveKeys(seed, salt, sid))
    const data = { sid, salt: toBase64(salt), server_time: Math.floor(this.nowMs / 1000), ttl: 43200 }
    return { code: 200, msg: "Done", data }
  }

  private async answer(
    path: string,
    body: Record<string, unknown>,
    headers: Headers,
  ): Promise<Record<string, unknown>> {
    const sid = String(body.sid)
    const keys = this.channels.get(sid)
    if (!keys) return { code: 463, msg: "ended", data: { error: "unknown_channel" } }
    const inner = JSON.parse(
      await decrypt(keys, `wire1|c2s|POST|${path}|${sid}`, String(body.data)),
    ) as Fields
    const around = { token: headers.get("authorization") ?? "", lang: headers.get("lang") ?? "" }
    const string = await signingString(inner, { ...around, method: "POST", path, session: sid })
    const key = await crypto.subtle.importKey(
      "raw",
      keys.slice(0, 32),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    )
    expect(inner.sign).toBe(await sign(key, string))
    this.opened.push(inner)
    const late = Math.abs(Number(inner.timestamp) - this.nowMs / 1000) > 60
    const stale = {
      code: 461,
      msg: "differs",
      data: { error: "stale_time", server_time: Math.floor(this.nowMs / 1000) },
    }
    const { code, msg, data } = late ? stale : this.reply(inner)
    const bound = `wire1|s2c|${sid}|${inner.nonce}|${code}|${toHex(await sha256(utf8(msg)))}`
    return { code, msg, enc: 1, data: await encrypt(keys, bound, JSON.stringify(data)) }
  }
}

async function decrypt(keys: Bytes, bound: string, sealed: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", keys.slice(32, 64), "AES-GCM", false, ["decrypt"])
  const raw = fromBase64(sealed)
  const how = { name: "AES-GCM", iv: raw.slice(0, 12), additionalData: utf8(bound) }
  return text(await crypto.subtle.decrypt(how, key, raw.slice(12)))
}

async function encrypt(keys: Bytes, bound: string, data: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", keys.slice(64), "AES-GCM", false, ["encrypt"])
  const iv = random(12)
  const how = { name: "AES-GCM", iv, additionalData: utf8(bound) }
  return toBase64(join(iv, new Uint8Array(await crypto.subtle.encrypt(how, key, utf8(data)))))
}

/** Any call whose fields may all be left out. */
const PATH = "/api/game/orderList"
const CALLER = { token: "t", lang: "vi" }
let server: Server
let key: WireKey | null
let nowMs: number
let wire: Wire

beforeEach(async () => {
  server = new Server()
  key = await server.key()
  nowMs = Date.now()
  wire = new Wire({ fetch: server.fetch, origin: ORIGIN, key: () => key, nowMs: () => nowMs })
})

const paths = () => server.sent.map(({ path }) => path)

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

test.each([460, 464])("a plain answer with code %i is shown, without what stands in it", async (code) => {
  server.forge = (answer, path) => (path === PATH ? { code, msg: "no", data: { token: "stolen" } } : answer)
  expect(await wire.call(PATH, {}, CALLER)).toEqual({ code, msg: "no", data: null })
})

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
  wire = new Wire({ fetch: flaky, origin: ORIGIN, key: () => key, nowMs: () => nowMs })
  wire.warm()
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow("offline")
  down = false
  expect((await wire.call(PATH, {}, CALLER)).code).toBe(200)
})

test("an HTTP status other than 200 is a failure", async () => {
  const fetch = (async () => new Response("Server error", { status: 503 })) as typeof globalThis.fetch
  wire = new Wire({ fetch, origin: ORIGIN, key: () => key, nowMs: () => nowMs })
  await expect(wire.call(PATH, {}, CALLER)).rejects.toThrow(WireFailure)
})
