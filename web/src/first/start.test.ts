// @vitest-environment document
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { start } from "./start.ts"

const fetched = () => [...document.querySelectorAll<HTMLLinkElement>("link[rel]")].map(({ href }) => href)
const scripts = () => [...document.querySelectorAll("script")].map(({ type, src }) => [type, src])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "requestAnimationFrame"] })
  document.head.innerHTML =
    '<link data-later="modulepreload" href="http://x/entry.js" data-entry>' +
    '<link rel="modulepreload" href="http://x/early.js">' +
    '<link data-later="modulepreload" href="http://x/screen.js">'
})
afterEach(() => {
  vi.useRealTimers()
})

test("the code begins and is fetched once after what is drawn was seen", () => {
  start()
  expect(scripts()).toEqual([])
  expect(fetched()).toEqual(["http://x/early.js"])
  vi.advanceTimersByTime(50)
  expect(fetched()).toEqual(["http://x/entry.js", "http://x/early.js", "http://x/screen.js"])
  expect(scripts()).toEqual([["module", "http://x/entry.js"]])
  vi.advanceTimersByTime(1000)
  expect(scripts()).toHaveLength(1)
})

test("the code begins in a tab that nobody looks at", () => {
  vi.stubGlobal("requestAnimationFrame", () => 0)
  start()
  vi.advanceTimersByTime(299)
  expect(scripts()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(scripts()).toHaveLength(1)
})
