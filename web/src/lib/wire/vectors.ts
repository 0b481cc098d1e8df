import { type Bytes, fromBase64, text, toHex, utf8 } from "./bytes.ts"
import { derive, deriveKeys, helloInfo, helloSuite, SEED_BYTES, sealHello } from "./channel.ts"
import { type Fields, type Surroundings, sign, signingString } from "./sign.ts"

// What contract/*-vectors.json ask of the page's half: run by vectors.test.ts in Node, by e2e/vectors.test.ts in a browser.

/** What this side makes of a vector, and what the file says. */
export type Outcome = [made: string, expected: string][]

export interface Case {
  name: string
  run: () => Promise<Outcome>
}

interface Signing {
  name: string
  fields: Fields
  around: Surroundings
}

interface Keys {
  name: string
  seed: string
  salt: string
  sid: string
  keys: string
}

type Request = Keys & { method: string; path: string; sealed: string }
type Answer = Keys & { nonce: string; code: number; msg: string; sealed: string }
type Hello = Record<"name" | "kid" | "origin" | "private" | "public" | "seed" | "hello", string>

export interface Vectors {
  signing: (Signing & { key: string; string: string; sign: string })[]
  keys: Keys[]
  requests: (Request & { inner: string })[]
  answers: (Answer & { data: string })[]
  hellos: Hello[]
  refused_signing: Signing[]
  refused_requests: Request[]
  refused_answers: Answer[]
  refused_hellos: Hello[]
}

/** RFC 9180's own, sealed with additional data. `aead` is 2 in our suite; the other set has its KEM and KDF alone. */
export interface Rfc9180 {
  vectors: (Record<"name" | "ikmE" | "ikmR" | "skRm" | "pkRm" | "enc" | "shared_secret", string> &
    Record<"info" | "pt" | "aad" | "ct", string> & { aead: number })[]
}

const REFUSED = "refused"
const IV_BYTES = 12
const POINT_BYTES = 65

export function casesOf(vectors: Vectors, rfc9180: Rfc9180): Case[] {
  return [
    ...each(vectors.signing, signature),
    ...each(vectors.keys, keys),
    ...each(vectors.requests, request),
    ...each(vectors.answers, answer),
    ...each(vectors.hellos, hello),
    ...each(vectors.refused_signing, async (vector) => [[await refusal(stringOf(vector)), REFUSED]]),
    ...each(vectors.refused_requests, async (vector) => [[await refusal(openRequest(vector)), REFUSED]]),
    ...each(vectors.refused_answers, async (vector) => [[await refusal(openAnswer(vector)), REFUSED]]),
    ...each(vectors.refused_hellos, async (vector) => [[await refusal(openHello(vector)), REFUSED]]),
    ...each(rfc9180.vectors, rfc),
  ]
}

function each<Vector extends { name: string }>(
  vectors: Vector[],
  run: (vector: Vector) => Promise<Outcome>,
): Case[] {
  return vectors.map((vector) => ({ name: vector.name, run: () => run(vector) }))
}

const refusal = (opening: Promise<string>): Promise<string> => opening.catch(() => REFUSED)

async function signature(vector: Vectors["signing"][number]): Promise<Outcome> {
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytes(vector.key), hmac, false, ["sign"])
  const string = await stringOf(vector)
  return [
    [string, vector.string],
    [await sign(key, string), vector.sign],
  ]
}

async function keys({ seed, salt, sid, keys }: Keys): Promise<Outcome> {
  return [[toHex(await deriveKeys(bytes(seed), bytes(salt), sid)), keys]]
}

async function request(vector: Vectors["requests"][number]): Promise<Outcome> {
  const channel = await derive(bytes(vector.seed), bytes(vector.salt), vector.sid)
  const sealed = await channel.sealRequest(vector.inner, vector)
  return [
    [await openRequest(vector), vector.inner],
    [await openRequest({ ...vector, sealed }), vector.inner],
  ]
}

async function answer(vector: Vectors["answers"][number]): Promise<Outcome> {
  return [
    [await openAnswer(vector), vector.data],
    [await refusal(openAnswer({ ...vector, nonce: `${vector.nonce}x` })), REFUSED],
    [await refusal(openAnswer({ ...vector, code: vector.code + 1 })), REFUSED],
    [await refusal(openAnswer({ ...vector, msg: `${vector.msg} ` })), REFUSED],
  ]
}

async function hello(vector: Hello): Promise<Outcome> {
  const made = { ...vector, hello: await sealHello(bytes(vector.public), bytes(vector.seed), vector) }
  return [
    [await openHello(vector), vector.seed],
    [await openHello(made), vector.seed],
    [await refusal(openHello({ ...made, origin: "https://other.example" })), REFUSED],
  ]
}

/** The whole way of a hello with the RFC's key pairs; where its AEAD isn't ours, key pairs and shared secret. */
async function rfc(vector: Rfc9180["vectors"][number]): Promise<Outcome> {
  const suite = await helloSuite()
  const [info, pt, aad] = [bytes(vector.info).buffer, bytes(vector.pt).buffer, bytes(vector.aad).buffer]
  const ekm = bytes(vector.ikmE).buffer
  const pair = await suite.kem.deriveKeyPair(bytes(vector.ikmR).buffer)
  const { enc, sharedSecret } = await suite.kem.encap({ recipientPublicKey: pair.publicKey, ekm })
  const outcome: Outcome = [
    [hex(await suite.kem.serializePrivateKey(pair.privateKey)), vector.skRm],
    [hex(await suite.kem.serializePublicKey(pair.publicKey)), vector.pkRm],
    [hex(enc), vector.enc],
    [hex(sharedSecret), vector.shared_secret],
    [hex(await suite.kem.decap({ recipientKey: pair.privateKey, enc })), vector.shared_secret],
  ]
  if (vector.aead !== suite.aead.id) return outcome
  const sealed = await suite.seal({ recipientPublicKey: pair.publicKey, info, ekm }, pt, aad)
  const recipient = { recipientKey: pair.privateKey, enc: bytes(vector.enc).buffer, info }
  outcome.push(
    [hex(sealed.enc) + hex(sealed.ct), vector.enc + vector.ct],
    [hex(await suite.open(recipient, bytes(vector.ct).buffer, aad)), vector.pt],
  )
  return outcome
}

const stringOf = ({ fields, around }: Signing): Promise<string> => signingString(fields, around)

async function openAnswer(vector: Answer): Promise<string> {
  const channel = await derive(bytes(vector.seed), bytes(vector.salt), vector.sid)
  return channel.openAnswer(vector.sealed, vector)
}

/** The server's side, by the book. */
async function openRequest({ seed, salt, sid, method, path, sealed }: Request): Promise<string> {
  const secret = (await deriveKeys(bytes(seed), bytes(salt), sid)).subarray(32, 64)
  const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["decrypt"])
  const raw = fromBase64(sealed)
  const how = {
    name: "AES-GCM",
    iv: raw.slice(0, IV_BYTES),
    additionalData: utf8(`wire1|c2s|${method}|${path}|${sid}`),
  }
  return text(await crypto.subtle.decrypt(how, key, raw.slice(IV_BYTES)))
}

/** The server's side, by the book. */
async function openHello(vector: Hello): Promise<string> {
  const suite = await helloSuite()
  const recipientKey = await suite.kem.deserializePrivateKey(bytes(vector.private).buffer)
  const raw = fromBase64(vector.hello)
  const info = helloInfo(vector.kid, vector.origin).buffer
  const sealed = raw.slice(POINT_BYTES).buffer
  const seed = await suite.open({ recipientKey, enc: raw.slice(0, POINT_BYTES).buffer, info }, sealed)
  if (seed.byteLength !== SEED_BYTES) throw new Error("a seed of another length")
  return hex(seed)
}

const hex = (buffer: ArrayBufferLike): string => toHex(new Uint8Array(buffer))

const bytes = (digits: string): Bytes =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
