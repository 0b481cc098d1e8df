import { useEffect, useRef, useSyncExternalStore } from "react"
import { call } from "./api.ts"
import { besidePage, isSite, socketUrl, toldSocket } from "./hosts.ts"
import { languageOf } from "./languages.ts"
import { onReturn, suspectOffline } from "./network.ts"
import { getToken, onSession } from "./session.ts"
import { getSettings, onSettings } from "./settings.ts"

export type Channel = "rounds" | "account"
export interface Push {
  arg: { channel: string }
  action: "snapshot" | "update"
  data: unknown[]
}
export type LiveState = "idle" | "connecting" | "open" | "closed"
type Listener = (push: Push) => void

const PING_EVERY = 20_000
const PONG = "pong"
const FIRST_WAIT = 1000
const LONGEST_WAIT = 15_000
const CALM_TRIES = 5
/** A connection that stood for so long was one: what breaks off sooner counts as another failure. */
const STEADY = 5000
/** What drops a connection instead of refusing it lets the browser wait for minutes. */
const PATIENCE = 8000
/** A connection is open, and the server heard, within a second or two: what takes longer has most likely failed. */
const LATE = 3000

/** The page's live socket: one connection for all channels, opened while somebody listens, mended by itself. */
export class Live {
  private readonly listeners = new Map<Channel, Set<Listener>>()
  private readonly watchers = new Set<() => void>()
  private socket: WebSocket | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private pinger: ReturnType<typeof setInterval> | undefined
  private failures = 0
  /** Which address is tried; over a restart too, for where the last connection stood the next most likely will. */
  private attempt = 0
  /** Whether what fails now speaks against the address. */
  private onTrial = false
  private run = 0
  private paused = false
  /** When it began to wait for a connection, by a clock that nobody sets, as the next. */
  private beganAt = 0
  /** When the server last sent anything, whether it had let the page in or not. */
  private answeredAt = 0
  /** "open" once the server has let the page in, which is later than the connection: it judges the token afterwards. */
  state: LiveState = "idle"
  /** When the server last said anything to the page that it let in; 0 where it never did. */
  heardAt = 0
  private readonly address: (attempt: number) => string
  private readonly ticket: () => Promise<string>
  private readonly lang: () => string

  constructor(address: (attempt: number) => string, ticket: () => Promise<string>, lang: () => string) {
    this.address = address
    this.ticket = ticket
    this.lang = lang
  }

  /** Hear a channel until the returned function is called. */
  listen(channel: Channel, listener: Listener): () => void {
    const known = this.listeners.get(channel)
    const group = known ?? new Set<Listener>()
    this.listeners.set(channel, group.add(listener))
    if (!known) this.send("subscribe", [channel])
    if (this.state === "idle" && !this.paused) void this.connect()
    return () => {
      group.delete(listener)
      if (group.size > 0 || this.listeners.get(channel) !== group) return
      this.listeners.delete(channel)
      this.send("unsubscribe", [channel])
      if (this.listeners.size === 0) this.stop()
    }
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** Close; `listen` opens again. */
  stop(): void {
    if (this.isLate()) this.blame()
    this.run++
    this.drop()
    this.set("idle")
  }

  /** Close and open anew at once: another session, or the network came back. */
  restart(): void {
    this.stop()
    this.failures = 0
    if (this.listeners.size > 0 && !this.paused) void this.connect()
  }

  /** The network is back: what waits for its next try, or has long waited for an answer to this one, begins anew. */
  retry(): void {
    if (this.state === "closed" || this.isLate()) this.restart()
  }

  /** Nobody sees the page: no connection until it is seen again. Every channel then begins with a snapshot. */
  pause(paused: boolean): void {
    if (paused === this.paused) return
    this.paused = paused
    this.restart()
  }

  private async connect(): Promise<void> {
    const run = ++this.run
    this.beganAt = performance.now()
    this.onTrial = false
    this.set("connecting")
    try {
      const ticket = await this.ticket()
      if (run !== this.run) return
      const query = new URLSearchParams({ token: ticket, lang: this.lang() })
      this.onTrial = true
      this.open(run, `${this.address(this.attempt)}?${query}`)
    } catch {
      if (run === this.run) this.later()
    }
  }

  private open(run: number, url: string): void {
    const socket = new WebSocket(url)
    this.socket = socket
    this.beganAt = performance.now()
    this.timer = setTimeout(() => this.later(), PATIENCE)
    let pingedAt = 0
    socket.onopen = () => {
      clearTimeout(this.timer)
      this.answeredAt = performance.now()
      this.pinger = setInterval(() => {
        // A connection that is gone without a word: the last ping had no answer.
        if (pingedAt > this.answeredAt) return this.later()
        pingedAt = performance.now()
        socket.send("ping")
      }, PING_EVERY)
      this.send("subscribe", [...this.listeners.keys()])
    }
    socket.onmessage = (event) => this.hear(event.data)
    socket.onclose = () => {
      if (run === this.run) this.later()
    }
  }

  private hear(text: unknown): void {
    this.answeredAt = performance.now()
    // A ping is answered to whom the server has yet to judge, too.
    if (this.state !== "open" && text === PONG) return
    this.heardAt = Date.now()
    if (this.state !== "open") this.enter()
    const push = parse(text)
    if (!push) return
    for (const listener of this.listeners.get(push.arg.channel as Channel) ?? []) listener(push)
  }

  /** The server answers what was subscribed to: it has let the page in. */
  private enter(): void {
    this.timer = setTimeout(() => {
      this.failures = 0
      this.onTrial = false
    }, STEADY)
    this.set("open")
  }

  private isLate(): boolean {
    return this.state === "connecting" && performance.now() - this.beganAt >= LATE
  }

  /** The next try goes to the next address. */
  private blame(): void {
    if (this.onTrial) this.attempt++
    this.onTrial = false
  }

  private later(): void {
    this.blame()
    this.drop()
    this.failures++
    suspectOffline()
    this.set("closed")
    this.timer = setTimeout(() => void this.connect(), waitAfter(this.failures))
  }

  private drop(): void {
    clearTimeout(this.timer)
    clearInterval(this.pinger)
    const socket = this.socket
    this.socket = null
    if (socket) {
      socket.onopen = null
      socket.onclose = null
      socket.onmessage = null
      socket.close()
    }
  }

  private send(op: "subscribe" | "unsubscribe", channels: Channel[]): void {
    if (this.socket?.readyState !== WebSocket.OPEN || channels.length === 0) return
    this.socket.send(JSON.stringify({ op, args: channels.map((channel) => ({ channel })) }))
  }

  private set(state: LiveState): void {
    this.state = state
    for (const watcher of this.watchers) watcher()
  }
}

/** A second at first, after five failures doubling to fifteen; each with jitter, for thousands may lose one server. */
export function waitAfter(failures: number, random = Math.random): number {
  if (failures <= CALM_TRIES) return FIRST_WAIT * (1 + random() / 4)
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - CALM_TRIES))
  return wait * (0.5 + random() / 2)
}

function parse(text: unknown): Push | null {
  if (typeof text !== "string" || text === PONG) return null
  try {
    const push = JSON.parse(text) as Partial<Push>
    return push.arg && push.action && Array.isArray(push.data) ? (push as Push) : null
  } catch {
    return null
  }
}

/** Where the socket is; every other try goes beside the page, where a proxy may let pass what else it stops. */
export const liveAddress = (attempt: number): string =>
  attempt % 2 === 1 ? besidePage(location) : socketUrl(location, toldSocket(), isSite)

const language = () => languageOf(getSettings().language).header

export const live = new Live(
  liveAddress,
  async () => {
    if (getToken() === null) throw new Error("no session")
    return (await call("/api/user/getAuthToken", {}, { seldom: true })).token
  },
  language,
)
onSession(() => live.restart())
onReturn(() => live.retry())
let spoken = language()
onSettings(() => {
  if (spoken === language()) return
  spoken = language()
  live.restart()
})
const followSight = () => live.pause(globalThis.document?.hidden ?? false)
followSight()
globalThis.document?.addEventListener("visibilitychange", followSight)

/** Hear a channel while the component is shown. After a reconnect the server sends a snapshot first. */
export function useLive(channel: Channel, onPush: Listener): void {
  const newest = useRef(onPush)
  newest.current = onPush
  useEffect(() => live.listen(channel, (push) => newest.current(push)), [channel])
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (watcher) => live.watch(watcher),
    () => live.state,
  )
}
