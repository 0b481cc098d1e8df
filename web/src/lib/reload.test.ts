import { beforeAll, beforeEach, expect, test, vi } from "vitest"
import { startReloadOnLostCode } from "./reload.ts"

let goingTo: string | null
const load = vi.fn()

beforeAll(() => startReloadOnLostCode(() => goingTo, load))
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  sessionStorage.clear()
  load.mockClear()
  goingTo = "/game1?game=odd_even"
  vi.stubGlobal("fetch", async () => new Response("ok"))
})

async function lose() {
  dispatchEvent(new Event("vite:preloadError"))
  await vi.advanceTimersByTimeAsync(0)
}

test("lost code loads the address that was gone to, once in ten seconds", async () => {
  await lose()
  await lose()
  expect(load.mock.calls).toEqual([["/game1?game=odd_even"]])
  vi.advanceTimersByTime(10_000)
  await lose()
  expect(load).toHaveBeenCalledTimes(2)
})

test("code that was only fetched ahead, or a part of the screen, takes nothing away", async () => {
  goingTo = null
  await lose()
  expect(load).not.toHaveBeenCalled()
})

test("without a connection nothing is reloaded", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false)
  await lose()
  expect(load).not.toHaveBeenCalled()
})

test("where the server doesn't answer nothing is reloaded, whatever the device believes", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")))
  await lose()
  expect(load).not.toHaveBeenCalled()
})
