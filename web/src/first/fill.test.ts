// @vitest-environment document
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { seal } from "../lib/keptRecord.ts"
import { fill } from "./fill.ts"

const ENTRY = "/assets/index-1.js"
const SKETCH = '<div data-sketch="home"><i></i><span data-total hidden><small></small></span></div>'
const shown = () => document.querySelector("[data-total]:not([hidden])")?.textContent ?? null
const kept = (token = "token-a", total = "1234.5") =>
  seal(token, ENTRY, [{ key: ["/api/finance/userFinance", {}], data: { total }, at: Date.now() }])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] })
  document.head.innerHTML = `<link data-later="modulepreload" data-entry href="${ENTRY}">`
  document.body.innerHTML = SKETCH
  localStorage.clear()
  localStorage.setItem("kalos.token", "token-a")
})

afterEach(() => {
  vi.useRealTimers()
})

test("the sketch has what this member last saw", async () => {
  await fill(kept())
  expect(shown()).toBe("1,234.50")
})

test("it has nothing of another member, of another build, and nothing where nothing was kept", async () => {
  await fill(kept("token-b"))
  document.head.innerHTML = '<link data-entry href="/assets/index-2.js">'
  await fill(kept())
  await fill(Promise.resolve(undefined))
  expect(shown()).toBeNull()
})

test("an answer that has come stays", async () => {
  document.body.innerHTML = SKETCH.replace("hidden><small>", "><small>9.00")
  await fill(kept())
  expect(shown()).toBe("9.00")
})

test("nothing is drawn once the session has ended", async () => {
  const filling = fill(kept())
  localStorage.removeItem("kalos.token")
  await filling
  expect(shown()).toBeNull()
})

test("what is older than a week is not drawn", async () => {
  const record = kept()
  vi.setSystemTime(Date.now() + 8 * 86_400_000)
  await fill(record)
  expect(shown()).toBeNull()
})
