import { type Bytes, fromBase64, join, random, sha256, text, toBase64, toHex, utf8 } from "./bytes.ts"

// The server's half is server/src/kalos/wire/channel.py. Keys stay in memory and can't be read out.

const IV_BYTES = 12
export const SEED_BYTES = 32
/**
 * How long the wire waits for its own code, its key and each answer, in milliseconds: the server itself waits up to ten
 * seconds for a call that runs already. A browser would wait for code as long as it takes.
 */
export const PATIENCE = 20_000
/** The event of a page that lacks the code which opens channels: it can make no call. */
export const LOST_WIRE = "kalos:wire"

/** One page's channel: signs, seals requests, opens the answers to them. */
export interface Channel {
  sid: string
  signingKey: CryptoKey
  sealRequest(inner: string, place: { method: string; path: string }): Promise<string>
  /** Raises where the answer is for another request, code or sentence. */
  openAnswer(sealed: string, bound: { nonce: string; code: number; msg: string }): Promise<string>
}

/** Seal `seed` to the server's key: what opens a channel. `publicKey` is the uncompressed point. */
export async function sealHello(
  publicKey: Bytes,
  seed: Bytes,
  { kid, origin }: { kid: string; origin: string },
): Promise<string> {
  const suite = await helloSuite()
  const recipientPublicKey = await suite.kem.deserializePublicKey(publicKey.buffer)
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: helloInfo(kid, origin).buffer },
    seed.buffer,
  )
  return toBase64(join(new Uint8Array(enc), new Uint8Array(ct)))
}

/** DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
export async function helloSuite() {
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await suiteCode()
  return new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
}

/** The library that opens channels; tells the page where it doesn't come in time. */
const suiteCode = () => {
  const late = new Promise<never>((_, fail) => {
    AbortSignal.timeout(PATIENCE).onabort = fail
  })
  return Promise.race([import("@hpke/core"), late]).catch((cause) => {
    dispatchEvent(new Event(LOST_WIRE))
    throw cause
  })
}

export const helloInfo = (kid: string, origin: string): Bytes => utf8(`wire1\0${kid}\0${origin}`)

/** The channel that both sides derive from the page's seed and the server's salt. */
export async function derive(seed: Bytes, salt: Bytes, sid: string): Promise<Channel> {
  const keys = await deriveKeys(seed, salt, sid)
  const signingKey = await crypto.subtle.importKey(
    "raw",
    keys.subarray(0, 32),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  )
  const toServer = await crypto.subtle.importKey("raw", keys.subarray(32, 64), "AES-GCM", false, ["encrypt"])
  const toClient = await crypto.subtle.importKey("raw", keys.subarray(64), "AES-GCM", false, ["decrypt"])
  keys.fill(0)
  return {
    sid,
    signingKey,
    async sealRequest(inner, { method, path }) {
      const iv = random(IV_BYTES)
      const additionalData = utf8(`wire1|c2s|${method}|${path}|${sid}`)
      const sealed = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData },
        toServer,
        utf8(inner),
      )
      return toBase64(join(iv, new Uint8Array(sealed)))
    },
    async openAnswer(sealed, { nonce, code, msg }) {
      const raw = fromBase64(sealed)
      const iv = raw.subarray(0, IV_BYTES)
      const additionalData = utf8(`wire1|s2c|${sid}|${nonce}|${code}|${toHex(await sha256(utf8(msg)))}`)
      const opened = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv, additionalData },
        toClient,
        raw.subarray(IV_BYTES),
      )
      return text(opened)
    },
  }
}

/** 96 bytes: signing key, client to server, server to client. */
export async function deriveKeys(seed: Bytes, salt: Bytes, sid: string): Promise<Bytes> {
  const input = await crypto.subtle.importKey("raw", seed, "HKDF", false, ["deriveBits"])
  const how = { name: "HKDF", hash: "SHA-256", salt, info: utf8(`wire1\0${sid}`) }
  return new Uint8Array(await crypto.subtle.deriveBits(how, input, 768))
}
