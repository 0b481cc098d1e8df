// @vitest-environment node
import { readFileSync } from "node:fs"
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core"
import { describe, expect, test } from "vitest"
import { type Bytes, fromBase64, text, toHex } from "./bytes.ts"
import { derive, deriveKeys, helloInfo, sealHello } from "./channel.ts"
import { type Fields, type Surroundings, sign, signingString } from "./sign.ts"

interface Vectors {
  signing: {
    name: string
    fields: Fields
    around: Surroundings
    key: string
    string: string
    sign: string
  }[]
  keys: { seed: string; salt: string; sid: string; keys: string }[]
  requests: {
    seed: string
    salt: string
    sid: string
    keys: string
    method: string
    path: string
    inner: string
    sealed: string
  }[]
  answers: {
    seed: string
    salt: string
    sid: string
    nonce: string
    code: number
    msg: string
    data: string
    sealed: string
  }[]
  hellos: { kid: string; origin: string; private: string; public: string; seed: string; hello: string }[]
}

const PLACE = new URL("../../../../contract/wire-vectors.json", import.meta.url)
const vectors = JSON.parse(readFileSync(PLACE, "utf-8")) as Vectors

const bytes = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const hmac = (key: string) =>
  crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

async function openHello(
  privateKey: string,
  hello: string,
  place: { kid: string; origin: string },
): Promise<string> {
  const recipientKey = await suite.kem.deserializePrivateKey(bytes(privateKey).buffer)
  const raw = fromBase64(hello)
  const info = helloInfo(place.kid, place.origin).buffer
  const opened = await suite.open({ recipientKey, enc: raw.slice(0, 65).buffer, info }, raw.slice(65).buffer)
  return toHex(new Uint8Array(opened))
}

test("there are as many as the server's tests read", () => {
  expect(Object.values(vectors).reduce((sum, list) => sum + list.length, 0)).toBeGreaterThanOrEqual(60)
})

describe("signing", () => {
  test.each(vectors.signing)("$name", async (vector) => {
    const string = await signingString(vector.fields, vector.around)
    expect(string).toBe(vector.string)
    expect(await sign(await hmac(vector.key), string)).toBe(vector.sign)
  })
})

test.each(vectors.keys)("keys of seed $seed", async ({ seed, salt, sid, keys }) => {
  expect(toHex(await deriveKeys(bytes(seed), bytes(salt), sid))).toBe(keys)
})

test.each(vectors.answers)("answer $code of $sid opens for its request only", async (vector) => {
  const channel = await derive(bytes(vector.seed), bytes(vector.salt), vector.sid)
  const { nonce, code, msg, sealed } = vector
  expect(await channel.openAnswer(sealed, { nonce, code, msg })).toBe(vector.data)
  for (const other of [{ nonce: `${nonce}x` }, { code: code + 1 }, { msg: `${msg} ` }]) {
    await expect(channel.openAnswer(sealed, { nonce, code, msg, ...other })).rejects.toThrow()
  }
})

test.each(vectors.requests)("request to $path is sealed as the server opens it", async (vector) => {
  const channel = await derive(bytes(vector.seed), bytes(vector.salt), vector.sid)
  const key = await crypto.subtle.importKey("raw", bytes(vector.keys).slice(32, 64), "AES-GCM", false, [
    "decrypt",
  ])
  const additionalData = new TextEncoder().encode(`wire1|c2s|${vector.method}|${vector.path}|${vector.sid}`)
  for (const sealed of [vector.sealed, await channel.sealRequest(vector.inner, vector)]) {
    const raw = fromBase64(sealed)
    const how = { name: "AES-GCM", iv: raw.slice(0, 12), additionalData }
    expect(text(await crypto.subtle.decrypt(how, key, raw.slice(12)))).toBe(vector.inner)
  }
})

test("two requests with the same text look different", async () => {
  const channel = await derive(new Uint8Array(32), new Uint8Array(32), "sid")
  const place = { method: "POST", path: "/api/x" }
  expect(await channel.sealRequest("{}", place)).not.toBe(await channel.sealRequest("{}", place))
})

test.each(vectors.hellos)("hello for $kid opens for its own origin only", async (vector) => {
  expect(await openHello(vector.private, vector.hello, vector)).toBe(vector.seed)
  const made = await sealHello(bytes(vector.public), bytes(vector.seed), vector)
  expect(await openHello(vector.private, made, vector)).toBe(vector.seed)
  await expect(
    openHello(vector.private, made, { ...vector, origin: "https://other.example" }),
  ).rejects.toThrow()
})
