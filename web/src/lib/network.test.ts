// @vitest-environment document
import { beforeEach, expect, test, vi } from "vitest"

let answer: () => Promise<Response>
let network: typeof import("./network.ts")
let heard: boolean[]

const away = () => Promise.reject(new TypeError("away"))
const here = async () => new Response("ok")
const settle = () => vi.advanceTimersByTimeAsync(0)

let random: number

beforeEach(async () => {
  vi.useFakeTimers()
  random = 0
  vi.spyOn(Math, "random").mockImplementation(() => random)
  vi.resetModules()
  const asked = vi.fn(() => answer())
  vi.stubGlobal("fetch", asked)
  network = await import("./network.ts")
  // The modules of earlier tests hear the page's events too.
  const own: boolean[] = []
  heard = own
  network.onNetwork((reachable) => own.push(reachable))
})

test("a failure alone says nothing: the probe decides", async () => {
  answer = here
  network.suspectOffline()
  await settle()
  expect(heard).toEqual([])
  answer = away
  network.suspectOffline()
  await settle()
  expect(heard).toEqual([false])
})

test("what it answers is read: an answer that isn't holds a connection until its time is over", async () => {
  const answers: Response[] = []
  answer = async () => {
    const ok = await here()
    answers.push(ok)
    return ok
  }
  network.suspectOffline()
  await settle()
  expect(answers.map(({ bodyUsed }) => bodyUsed)).toEqual([true])
})

test("a server that answers with an error isn't there", async () => {
  answer = async () => new Response("", { status: 503 })
  network.suspectOffline()
  await settle()
  expect(heard).toEqual([false])
})

test("it is asked for again until it is back", async () => {
  answer = away
  network.suspectOffline()
  await settle()
  answer = here
  await vi.advanceTimersByTimeAsync(3999)
  expect(heard).toEqual([false])
  await vi.advanceTimersByTimeAsync(1)
  expect(heard).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test("an answer to any call clears it at once", async () => {
  answer = away
  network.suspectOffline()
  await settle()
  network.markOnline()
  expect(heard).toEqual([false, true])
})

test("an answer that came while the probe was out says more than the probe", async () => {
  let reject: (problem: Error) => void = () => undefined
  answer = () =>
    new Promise((_done, failed) => {
      reject = failed
    })
  network.suspectOffline()
  network.markOnline()
  reject(new TypeError("away"))
  await settle()
  expect(heard).toEqual([])
})

test("ten minutes away, with a failure every two seconds, are few probes, ever further apart", async () => {
  answer = away
  for (let second = 0; second < 600; second += 2) {
    network.suspectOffline()
    await vi.advanceTimersByTimeAsync(2000)
  }
  const { length } = vi.mocked(fetch).mock.calls
  expect(length).toBeGreaterThan(600 / 20)
  expect(length).toBeLessThan(600 / 15)
})

test("pages that lost one server don't ask in step", async () => {
  random = 0.5
  answer = away
  network.suspectOffline()
  await vi.advanceTimersByTimeAsync(4499)
  expect(fetch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test("the device's word that it has a network again is tried at once", async () => {
  answer = away
  network.suspectOffline()
  await settle()
  answer = here
  dispatchEvent(new Event("online"))
  await settle()
  expect(heard).toEqual([false, true])
})

test("what was missed is asked for at a moment of one's own, and not where the server went again", async () => {
  const back = vi.fn()
  network.onReturn(back)
  const go = async () => {
    answer = away
    network.suspectOffline()
    await settle()
  }
  random = 0.5
  await go()
  network.markOnline()
  await vi.advanceTimersByTimeAsync(999)
  expect(back).not.toHaveBeenCalled()
  await go()
  await vi.advanceTimersByTimeAsync(2000)
  expect(back).not.toHaveBeenCalled()
  network.markOnline()
  await vi.advanceTimersByTimeAsync(1000)
  expect(back).toHaveBeenCalledOnce()
})

test("many failures at once ask once", async () => {
  answer = away
  for (let call = 0; call < 5; call++) network.suspectOffline()
  await settle()
  expect(fetch).toHaveBeenCalledTimes(1)
})
