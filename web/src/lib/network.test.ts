import { beforeEach, expect, test, vi } from "vitest"

let answer: () => Promise<Response>
let network: typeof import("./network.ts")
let heard: boolean[]

const away = () => Promise.reject(new TypeError("away"))
const here = async () => new Response("ok")
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const asked = vi.fn(() => answer())
  vi.stubGlobal("fetch", asked)
  network = await import("./network.ts")
  heard = []
  network.onNetwork((reachable) => heard.push(reachable))
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

test("many failures at once ask once", async () => {
  answer = away
  for (let call = 0; call < 5; call++) network.suspectOffline()
  await settle()
  expect(fetch).toHaveBeenCalledTimes(1)
})
