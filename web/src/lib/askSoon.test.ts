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

async function answer(): Promise<void> {
  answers.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
}

test("twenty pushes a second ask at once, every half second, and after the last one", async () => {
  const begun = Date.now()
  for (let push = 0; push < 20; push++) {
    askSoon(client, PATH)
    await answer()
    await vi.advanceTimersByTimeAsync(50)
  }
  await answer()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked.map((at) => at - begun)).toEqual([0, 500, 1000])
})

test("an answer that takes long is not given up for the next push", async () => {
  const begun = Date.now()
  for (let push = 0; push < 40; push++) {
    askSoon(client, PATH)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked.map((at) => at - begun)).toEqual([0])
  await answer()
  expect(client.getQueryData([PATH])).toBe(1)
  expect(asked.map((at) => at - begun)).toEqual([0, 2000])
})

test("a push after a calm asks at once", async () => {
  askSoon(client, PATH)
  await answer()
  await vi.advanceTimersByTimeAsync(600)
  expect(asked.length).toBe(1)
  askSoon(client, PATH)
  expect(asked.length).toBe(2)
})

test("calls rest each for itself", async () => {
  askSoon(client, PATH)
  askSoon(client, "/api/game/index")
  askSoon(client, PATH)
  await answer()
  expect(asked.length).toBe(1)
})
