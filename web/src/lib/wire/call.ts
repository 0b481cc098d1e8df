import type { Answer, Body, Path } from "../calls.ts"
import { turn } from "../turn.ts"
import { fromBase64, random, toBase64url } from "./bytes.ts"
import { type Channel, derive, PATIENCE, SEED_BYTES, sealHello } from "./channel.ts"
import { fetchKey, type WireKey } from "./keys.ts"
import { type Fields, sign, signingString } from "./sign.ts"

/** No answer that can be trusted: HTTP failed, or it isn't sealed for this very call. */
export class WireFailure extends Error {}

/** What a page is made of, as far as the wire is concerned. */
export interface Surroundings {
  fetch: typeof globalThis.fetch
  origin: string
  /** The key that came with the page, if it is young enough. */
  key: () => WireKey | null
  nowMs: () => number
  /** Hears the server's clock whenever the channel learns it. */
  heardTime: (seconds: number) => void
}

interface Open {
  channel: Channel
  /** What the server's clock is ahead of the page's. */
  aheadSeconds: number
}

const OPEN = "/api/wire/open"
const DONE = 200
const STALE_TIME = 461
const REPLAY = 462
const UNKNOWN_CHANNEL = 463
/** Answers of a server that has no usable channel: these alone may come unsealed. */
const MAY_BE_PLAIN = new Set([460, UNKNOWN_CHANNEL, 464])
const NONCE_BYTES = 16

/** The page's way to the server: every call sealed in one channel, which is opened at the start and again when lost. */
export class Wire {
  private readonly page: Surroundings
  private opening: Promise<Open> | null = null

  constructor(page: Surroundings) {
    this.page = page
  }

  /** Open the channel ahead of the first call; a failure shows at that call. */
  warm(): void {
    this.open().catch(() => undefined)
  }

  /** Make a sealed call. A lost channel and a wrong clock are mended once each, with the same body. */
  async call<P extends Path>(
    path: P,
    body: Body<P>,
    { token, lang }: { token: string; lang: string },
  ): Promise<Answer<P>> {
    const fields = JSON.parse(JSON.stringify(body)) as Fields // as it will be sent: without what is undefined
    let mayReopen = true
    let mayCorrect = true
    for (;;) {
      const opening = this.open()
      const open = await opening
      const answer: Answer<Path> = await this.send(open, path, fields, { token, lang })
      if (answer.code === UNKNOWN_CHANNEL && mayReopen) {
        mayReopen = false
        if (this.opening === opening) this.opening = null
      } else if (answer.code === STALE_TIME && mayCorrect) {
        mayCorrect = false
        open.aheadSeconds = this.aheadOf(answer.data.server_time)
      } else if (answer.code === REPLAY) {
        // A browser sends what it got no answer to once more by itself: the first of the two may have been carried out.
        throw new WireFailure("twice")
      } else {
        return answer as Answer<P>
      }
    }
  }

  private async send(
    { channel, aheadSeconds }: Open,
    path: string,
    body: Fields,
    { token, lang }: { token: string; lang: string },
  ): Promise<Answer<Path>> {
    // A screen that begins makes several calls at once: a press comes in between.
    await turn()
    const nonce = toBase64url(random(NONCE_BYTES))
    const timestamp = Math.floor(this.page.nowMs() / 1000 + aheadSeconds)
    const fields = { ...body, timestamp, nonce }
    const string = await signingString(fields, { token, lang, method: "POST", path, session: channel.sid })
    const inner = JSON.stringify({ ...fields, sign: await sign(channel.signingKey, string) })
    const data = await channel.sealRequest(inner, { method: "POST", path })
    const headers: Record<string, string> = token === "" ? { lang } : { lang, Authorization: token }
    return opened(channel, nonce, await this.post(path, { v: 1, sid: channel.sid, data }, headers))
  }

  private open(): Promise<Open> {
    if (this.opening === null) {
      const opening = this.openWith(this.page.key())
      this.opening = opening
      opening.catch(() => {
        if (this.opening === opening) this.opening = null
      })
    }
    return this.opening
  }

  /** With the page's own key; with a fresh one where there is none, or where the server no longer knows it. */
  private async openWith(ownKey: WireKey | null): Promise<Open> {
    const key = ownKey ?? (await fetchKey(this.page.fetch))
    const seed = random(SEED_BYTES)
    const hello = await sealHello(key.publicKey, seed, { kid: key.kid, origin: this.page.origin })
    const body: Body<typeof OPEN> = { v: 1, kid: key.kid, hello }
    const answer = (await this.post(OPEN, body, {})) as Answer<typeof OPEN>
    if (answer.code === UNKNOWN_CHANNEL && ownKey !== null) return this.openWith(null)
    if (answer.code !== DONE) throw new WireFailure(`no channel: ${answer.code}`)
    const { sid, salt, server_time } = answer.data
    return { channel: await derive(seed, fromBase64(salt), sid), aheadSeconds: this.aheadOf(server_time) }
  }

  private aheadOf(serverSeconds: number): number {
    this.page.heardTime(serverSeconds)
    return serverSeconds - this.page.nowMs() / 1000
  }

  private async post(path: string, body: object, headers: Record<string, string>): Promise<Envelope> {
    const answer = await this.page.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (answer.status !== 200) {
      // What nobody reads holds one of the browser's few connections.
      await answer.body?.cancel()
      throw new WireFailure(`HTTP ${answer.status}`)
    }
    return (await answer.json()) as Envelope
  }
}

interface Envelope {
  code: number
  msg: string
  enc?: number
  data: unknown
}

/** Raises: WireFailure where the answer is not sealed for this call and isn't one of the few that may come plain. */
async function opened(
  channel: Channel,
  nonce: string,
  { code, msg, enc, data }: Envelope,
): Promise<Answer<Path>> {
  if (enc !== 1) {
    // Nobody vouches for what stands in it.
    if (MAY_BE_PLAIN.has(code)) return { code, msg: "", data: null } as unknown as Answer<Path>
    throw new WireFailure(`unsealed: ${code}`)
  }
  try {
    const inner: unknown = JSON.parse(await channel.openAnswer(data as string, { nonce, code, msg }))
    return { code, msg, data: inner } as Answer<Path>
  } catch (cause) {
    throw new WireFailure("the answer does not open", { cause })
  }
}
