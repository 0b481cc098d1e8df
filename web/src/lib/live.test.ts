import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Live, type Push, waitAfter } from "./live.ts"

class Socket {
  static readonly OPEN = 1
  static made: Socket[] = []
  readyState = 0
  sent: string[] = []
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  readonly url: string
  constructor(url: string) {
    this.url = url
    Socket.made.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  open() {
    this.readyState = 1
    this.onopen?.()
  }
  close() {
    this.readyState = 3
  }
  lose() {
    this.readyState = 3
    this.onclose?.()
  }
}

const subscribe = (...channels: string[]) =>
  JSON.stringify({ op: "subscribe", args: channels.map((channel) => ({ channel })) })
const settle = () => vi.advanceTimersByTimeAsync(0)
const newest = () => Socket.made.at(-1) as Socket

beforeEach(() => {
  vi.useFakeTimers()
  Socket.made = []
  vi.stubGlobal("WebSocket", Socket)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const make = () =>
  new Live(
    (attempt) => `ws://host/${attempt}`,
    async () => "ticket",
  )

test("subscribes when it opens, and hands on what it hears", async () => {
  const live = make()
  const heard: Push[] = []
  live.listen("rounds", (push) => heard.push(push))
  await settle()
  expect(newest().url).toBe("ws://host/0?token=ticket")
  newest().open()
  expect(newest().sent).toEqual([subscribe("rounds")])
  const push = { arg: { channel: "rounds" }, action: "update", data: [1] }
  for (const data of ["pong", "not json", "{}", JSON.stringify(push)]) newest().onmessage?.({ data })
  expect(heard).toEqual([push])
})

test("reconnects after a second and subscribes to everything again", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  live.listen("account", () => undefined)
  await settle()
  newest().open()
  newest().lose()
  expect(live.state).toBe("closed")
  await vi.advanceTimersByTimeAsync(999)
  expect(Socket.made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  newest().open()
  expect(Socket.made).toHaveLength(2)
  expect(newest().sent).toEqual([subscribe("rounds", "account")])
  expect(live.state).toBe("open")
})

test("pings every twenty seconds", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().open()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(newest().sent.filter((text) => text === "ping")).toHaveLength(2)
})

test("closes when nobody listens any more, and stays closed", async () => {
  const live = make()
  const stop = live.listen("rounds", () => undefined)
  await settle()
  newest().open()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([live.state, Socket.made.length]).toEqual(["idle", 1])
})

test("waits longer, with jitter, while the server stays away, and never beyond 15 s", () => {
  expect([1, 2, 3].map((failures) => waitAfter(failures))).toEqual([1000, 1000, 1000])
  expect(waitAfter(4, () => 0)).toBe(1000)
  expect(waitAfter(4, () => 1)).toBe(2000)
  expect(waitAfter(50, () => 1)).toBe(15_000)
})
