import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Live, type Push, waitAfter } from "./live.ts"

const ADMITTED = JSON.stringify({ event: "subscribe", arg: { channel: "rounds" } })

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
  say(text: string) {
    this.onmessage?.({ data: text })
  }
  /** The server lets the page in. */
  admit() {
    this.open()
    this.say(ADMITTED)
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
const addresses = () => Socket.made.map(({ url }) => new URL(url).pathname.slice(1))
const newest = () => Socket.made.at(-1) as Socket

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, "random").mockReturnValue(0.5) // by which waits are longer or shorter
  Socket.made = []
  vi.stubGlobal("WebSocket", Socket)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const make = () =>
  new Live(
    (attempt) => `ws://host/${attempt}`,
    async () => "ticket",
    () => "zh_CN",
  )

test("subscribes when it opens, and hands on what it hears", async () => {
  const live = make()
  const heard: Push[] = []
  live.listen("rounds", (push) => heard.push(push))
  await settle()
  expect(newest().url).toBe("ws://host/0?token=ticket&lang=zh_CN")
  newest().open()
  expect(newest().sent).toEqual([subscribe("rounds")])
  const push = { arg: { channel: "rounds" }, action: "update", data: [1] }
  for (const data of ["pong", "not json", "{}", JSON.stringify(push)]) newest().say(data)
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
  await vi.advanceTimersByTimeAsync(251)
  newest().admit()
  expect(Socket.made).toHaveLength(2)
  expect(newest().sent).toEqual([subscribe("rounds", "account")])
  expect(live.state).toBe("open")
})

test("pings every twenty seconds", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().admit()
  for (let ping = 0; ping < 2; ping++) {
    await vi.advanceTimersByTimeAsync(20_000)
    await vi.advanceTimersByTimeAsync(1)
    newest().say("pong")
  }
  expect(newest().sent.filter((text) => text === "ping")).toHaveLength(2)
  expect(live.state).toBe("open")
})

test("a connection that no longer answers pings is given up", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().admit()
  await vi.advanceTimersByTimeAsync(39_999)
  expect(live.state).toBe("open")
  await vi.advanceTimersByTimeAsync(1)
  expect([live.state, newest().readyState]).toEqual(["closed", 3])
  await vi.advanceTimersByTimeAsync(1250)
  expect(Socket.made).toHaveLength(2)
})

test("a clock that is set back hides no connection that is gone", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().admit()
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(40_000)
  expect(live.state).toBe("closed")
})

test("is open, and has news, from the first word of a server that let the page in, while pings are answered before", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().open()
  expect([live.state, live.heardAt]).toEqual(["connecting", 0])
  await vi.advanceTimersByTimeAsync(20_000)
  newest().say("pong")
  expect([live.state, live.heardAt]).toEqual(["connecting", 0])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(newest().sent).toEqual([subscribe("rounds"), "ping", "ping"])
  newest().say(ADMITTED)
  expect([live.state, live.heardAt]).toEqual(["open", Date.now()])
})

test("a server that refuses the page after the connection was never open, and is asked ever less often", async () => {
  const live = make()
  const states = new Set<string>()
  live.watch(() => states.add(live.state))
  live.listen("rounds", () => undefined)
  await settle()
  for (let second = 0; second < 120; second++) {
    if (newest().readyState === 0) newest().open()
    await vi.advanceTimersByTimeAsync(1000)
    if (newest().readyState === 1 && second % 10 === 9) newest().lose()
  }
  expect([...states]).toEqual(["connecting", "closed"])
  expect(Socket.made.length).toBeLessThan(12)
})

test("a connection that is neither made nor refused is given up after eight seconds for the next address", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  await vi.advanceTimersByTimeAsync(7999)
  expect([live.state, newest().readyState]).toEqual(["connecting", 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([live.state, newest().readyState]).toEqual(["closed", 3])
  await vi.advanceTimersByTimeAsync(1250)
  expect(addresses()).toEqual(["0", "1"])
  newest().open()
  await vi.advanceTimersByTimeAsync(8000)
  expect([live.state, newest().readyState]).toEqual(["connecting", 1])
})

test("begins with the address that stood last, over restarts and after a loss, and leaves one that didn't stand", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().lose()
  await vi.advanceTimersByTimeAsync(1250)
  newest().admit()
  live.restart()
  await settle()
  newest().admit()
  await vi.advanceTimersByTimeAsync(5000)
  newest().lose()
  await vi.advanceTimersByTimeAsync(1250)
  expect(addresses()).toEqual(["0", "1", "1", "1"])
  newest().admit()
  await vi.advanceTimersByTimeAsync(4999)
  newest().lose()
  await vi.advanceTimersByTimeAsync(1250)
  expect(addresses().at(-1)).toBe("2")
})

test("without a ticket no address is to blame", async () => {
  let refuses = true
  const live = new Live(
    (attempt) => `ws://host/${attempt}`,
    async () => (refuses ? Promise.reject(new Error("away")) : "ticket"),
    () => "en",
  )
  live.listen("rounds", () => undefined)
  await settle()
  refuses = false
  await vi.advanceTimersByTimeAsync(1250)
  expect(addresses()).toEqual(["0"])
})

test("when the network is back a try that waits begins anew, and one that has waited for three seconds, at the next address", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  await vi.advanceTimersByTimeAsync(2999)
  live.retry()
  await settle()
  expect(addresses()).toEqual(["0"])
  await vi.advanceTimersByTimeAsync(1)
  live.retry()
  await settle()
  expect(addresses()).toEqual(["0", "1"])
  newest().lose()
  live.retry()
  await settle()
  expect(addresses()).toEqual(["0", "1", "2"])
  newest().admit()
  await vi.advanceTimersByTimeAsync(4000)
  live.retry()
  await settle()
  expect(Socket.made).toHaveLength(3)
})

test("a server that opens and closes again and again is asked ever less often", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  for (let round = 0; round < 120; round++) {
    if (newest().readyState === 0) newest().admit()
    if (newest().readyState === 1) newest().lose()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(Socket.made.length).toBeLessThan(25)
})

test("a connection that stood for a while starts the count anew", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  for (let failure = 0; failure < 8; failure++) {
    const made = Socket.made.length
    newest().lose()
    while (Socket.made.length === made) await vi.advanceTimersByTimeAsync(100)
  }
  newest().admit()
  await vi.advanceTimersByTimeAsync(5000)
  const made = Socket.made.length
  newest().lose()
  await vi.advanceTimersByTimeAsync(1250)
  expect(Socket.made.length).toBe(made + 1)
})

test("a hidden page has no connection, and one that comes back subscribes anew", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().open()
  live.pause(true)
  expect([live.state, newest().readyState]).toEqual(["idle", 3])
  for (const wake of [() => live.listen("account", () => undefined), () => live.restart()]) {
    wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([live.state, Socket.made.length]).toEqual(["idle", 1])
  }
  live.pause(false)
  await settle()
  newest().open()
  expect(newest().sent).toEqual([subscribe("rounds", "account")])
})

test("what is heard, pongs too, is the time of the last news", async () => {
  const live = make()
  live.listen("rounds", () => undefined)
  await settle()
  newest().admit()
  await vi.advanceTimersByTimeAsync(7000)
  newest().say("pong")
  expect(live.heardAt).toBe(Date.now())
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

test("waits a second, after five failures longer, always with jitter, and never beyond 15 s", () => {
  for (const failures of [1, 2, 3, 4, 5])
    expect([waitAfter(failures, () => 0), waitAfter(failures, () => 1)]).toEqual([1000, 1250])
  expect([waitAfter(6, () => 0), waitAfter(6, () => 1)]).toEqual([1000, 2000])
  expect([waitAfter(8, () => 0), waitAfter(8, () => 1)]).toEqual([4000, 8000])
  expect([waitAfter(50, () => 0), waitAfter(50, () => 1)]).toEqual([7500, 15_000])
})
