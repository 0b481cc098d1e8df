// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { start } from "./start.ts"

const scripts = () => [...document.querySelectorAll("script")].map(({ type, src }) => [type, src])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "requestAnimationFrame"] })
  document.head.innerHTML = '<link rel="modulepreload" href="http://x/entry.js" data-entry>'
})
afterEach(() => {
  vi.useRealTimers()
})

test("the code begins once after what is drawn was seen", () => {
  start()
  expect(scripts()).toEqual([])
  vi.advanceTimersByTime(50)
  expect(scripts()).toEqual([["module", "http://x/entry.js"]])
  vi.advanceTimersByTime(1000)
  expect(scripts()).toHaveLength(1)
})

test("the code begins in a tab that nobody looks at", () => {
  vi.stubGlobal("requestAnimationFrame", () => 0)
  start()
  vi.advanceTimersByTime(99)
  expect(scripts()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(scripts()).toHaveLength(1)
})
