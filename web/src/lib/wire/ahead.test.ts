import { afterEach, expect, test, vi } from "vitest"
import { Ahead } from "./ahead.ts"

afterEach(() => {
  vi.useRealTimers()
})

test("an answer is taken once, by whoever asks for the same", async () => {
  const ahead = new Ahead<string>()
  ahead.put("info of a", Promise.resolve("10000001"))
  expect(ahead.take("info of b")).toBeNull()
  expect(await ahead.take("info of a")).toBe("10000001")
  expect(ahead.take("info of a")).toBeNull()
})

test("an answer of five seconds ago is not given any more", () => {
  vi.useFakeTimers()
  const ahead = new Ahead<string>()
  ahead.put("finance", Promise.resolve("5"))
  vi.advanceTimersByTime(5000)
  expect(ahead.take("finance")).toBeNull()
})

test("a failure is for who takes it, and nobody else hears of it", async () => {
  const ahead = new Ahead<string>()
  ahead.put("finance", Promise.reject(new Error("away")))
  await new Promise((done) => setTimeout(done))
  await expect(ahead.take("finance")).rejects.toThrow("away")
})
