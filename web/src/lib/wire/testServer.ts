import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core"
import { type Bytes, fromBase64, join, random, sha256, text, toBase64, toHex, utf8 } from "./bytes.ts"
import { deriveKeys, helloInfo } from "./channel.ts"
import type { WireKey } from "./keys.ts"
import { type Fields, sign, signingString } from "./sign.ts"

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** The other end of the wire, by the book: it opens channels and requests and seals what `reply` says. */
export class TestServer {
  readonly sent: { path: string; body: Record<string, unknown>; headers: Headers }[] = []
  readonly opened: Fields[] = []
  private readonly channels = new Map<string, Bytes>()
  private pair: CryptoKeyPair | null = null
  private readonly origin: string
  kid = "first"
  nowMs = Date.now()
  reply: (inner: Fields, path: string) => { code: number; msg: string; data: unknown } = (inner) => ({
    code: 200,
    msg: "Done",
    data: { game: inner.game },
  })
  /** What happens to an answer on its way. */
  forge: (answer: Record<string, unknown>, path: string) => unknown = (answer) => answer

  constructor(origin: string) {
    this.origin = origin
  }

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
    const how = { recipientKey, enc: raw.slice(0, 65).buffer, info: helloInfo(this.kid, this.origin).buffer }
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
    if (inner.sign !== (await sign(key, string))) throw new Error("the signature is wrong")
    this.opened.push(inner)
    const late = Math.abs(Number(inner.timestamp) - this.nowMs / 1000) > 60
    const stale = {
      code: 461,
      msg: "differs",
      data: { error: "stale_time", server_time: Math.floor(this.nowMs / 1000) },
    }
    const { code, msg, data } = late ? stale : this.reply(inner, path)
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
