// @vitest-environment document
import { beforeAll, beforeEach, expect, test, vi } from "vitest"
import { payments } from "./paying.ts"
import { startReloadOnLostCode } from "./reload.ts"
import { LOST_WIRE } from "./wire/channel.ts"

let goingTo: string | null
const load = vi.fn()

beforeAll(() => startReloadOnLostCode(() => goingTo, load))
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  sessionStorage.clear()
  load.mockClear()
  goingTo = "/game1?game=odd_even"
  document.head.innerHTML = ""
  vi.stubGlobal("fetch", async () => new Response("ok"))
})

async function lose(what = "vite:preloadError") {
  dispatchEvent(new Event(what))
  await vi.advanceTimersByTimeAsync(0)
}

const startWith = (entry: string) => {
  document.head.innerHTML = `<script type="module" src="${entry}"></script>`
}

test("lost code loads the address that was gone to once, however long a slow line takes to lose it again", async () => {
  for (let load = 0; load < 5; load++) {
    await Promise.all([lose(), lose()])
    vi.advanceTimersByTime(60_000)
  }
  expect(load.mock.calls).toEqual([["/game1?game=odd_even"]])
})

test("two addresses that lose their code in turn are loaded once each, and again in another build", async () => {
  for (const entry of ["/assets/index-a.js", "/assets/index-b.js"]) {
    startWith(entry)
    for (const address of ["/home", "/me", "/home", "/me"]) {
      goingTo = address
      await lose()
    }
  }
  expect(load.mock.calls).toEqual([["/home"], ["/me"], ["/home"], ["/me"]])
})

test("code that was only fetched ahead, or a part of the screen, takes nothing away", async () => {
  goingTo = null
  await lose()
  expect(load).not.toHaveBeenCalled()
})

test.each(["getItem", "setItem"] as const)(
  "where the store refuses (%s) it is left to the member",
  async (way) => {
    const refuse = vi.spyOn(Storage.prototype, way).mockImplementation(() => {
      throw new DOMException("denied", "SecurityError")
    })
    await lose()
    await lose()
    expect(load).not.toHaveBeenCalled()
    refuse.mockRestore()
  },
)

test("without a connection nothing is reloaded", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
  await lose()
  expect(load).not.toHaveBeenCalled()
})

test("where the server doesn't answer nothing is reloaded until it does, whatever the device believes", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")))
  await lose()
  expect(load).not.toHaveBeenCalled()
  vi.stubGlobal("fetch", async () => new Response("ok"))
  await lose()
  expect(load).toHaveBeenCalledOnce()
})

test("without the wire's own code the page is loaded anew whatever it shows, once, and when the server answers", async () => {
  goingTo = null
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")))
  await lose(LOST_WIRE)
  expect(load).not.toHaveBeenCalled()
  vi.stubGlobal("fetch", async () => new Response("ok"))
  for (let call = 0; call < 3; call++) await lose(LOST_WIRE)
  expect(load.mock.calls).toEqual([[location.href]])
})

test("what is being paid isn't taken away for the wire's code", async () => {
  let step = "sending"
  const payment = { read: () => ({ step }), isShown: () => true }
  payments.add(payment)
  await lose(LOST_WIRE)
  expect(load).not.toHaveBeenCalled()
  step = "form"
  await lose(LOST_WIRE)
  expect(load).toHaveBeenCalledOnce()
  payments.delete(payment)
})
