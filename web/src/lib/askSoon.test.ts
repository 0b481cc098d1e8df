import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { beforeEach, expect, test, vi } from "vitest"
import { askSoon } from "./askSoon.ts"

const PATH = "/api/game/scene"
let client: QueryClient
let asked: number[]
let answers: (() => void)[]

beforeEach(async () => {
  vi.useFakeTimers()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  asked = []
  answers = []
  new QueryObserver(client, {
    queryKey: [PATH],
    queryFn: () => {
      asked.push(Date.now())
      return new Promise<number>((done) => answers.push(() => done(asked.length)))
    },
  }).subscribe(() => undefined)
  await answer()
  asked = []
})

async function push(): Promise<void> {
  askSoon(client, PATH)
  await vi.advanceTimersByTimeAsync(0)
}

async function answer(): Promise<void> {
  answers.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
}

test("twenty pushes a second ask at once, every half second, and after the last one", async () => {
  const begun = Date.now()
  for (let number = 0; number < 20; number++) {
    await push()
    await answer()
    await vi.advanceTimersByTimeAsync(50)
  }
  await answer()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked.map((at) => at - begun)).toEqual([0, 500, 1000])
})

test("an answer that takes long is not given up for the next push", async () => {
  const begun = Date.now()
  for (let number = 0; number < 40; number++) {
    await push()
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked.map((at) => at - begun)).toEqual([0])
  await answer()
  expect(client.getQueryData([PATH])).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.map((at) => at - begun)).toEqual([0, 2500])
})

test("an answer that never comes holds up the next push for some seconds at the most", async () => {
  const begun = Date.now()
  await push()
  await vi.advanceTimersByTimeAsync(100)
  await push()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked.map((at) => at - begun)).toEqual([0, 5500])
})

test("several that hear one push want it once", async () => {
  askSoon(client, PATH)
  await push()
  await answer()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked.length).toBe(1)
})

test("a push after a calm asks at once", async () => {
  await push()
  await answer()
  await vi.advanceTimersByTimeAsync(600)
  expect(asked.length).toBe(1)
  await push()
  expect(asked.length).toBe(2)
})

test("calls rest each for itself", async () => {
  await push()
  askSoon(client, "/api/game/index")
  await push()
  await answer()
  expect(asked.length).toBe(1)
})
