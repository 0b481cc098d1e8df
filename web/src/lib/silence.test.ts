// @vitest-environment document
import { act, createElement } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { live } from "./live.ts"
import { useSilentSince } from "./silence.ts"

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)

let shown: number | null
const root = createRoot(document.createElement("div"))
function Probe({ at, fails }: { at: number; fails: boolean }) {
  shown = useSilentSince(at, fails)
  return null
}
const show = (at: number, fails = false) => act(async () => root.render(createElement(Probe, { at, fails })))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** What the socket's own connection does to its state. */
const become = (state: typeof live.state) =>
  act(async () => {
    live.state = state
    for (const watcher of live["watchers" as never] as Set<() => void>) watcher()
  })

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(async () => {
  live.heardAt = 0
  await become("idle")
})

test("ten seconds without news are said with the time of the last", async () => {
  await become("open")
  live.heardAt = Date.now()
  await show(Date.now() - 5000)
  await pass(60_000)
  expect(shown).toBeNull() // the socket speaks, though nothing happened
  live.heardAt = Date.now()
  await become("closed")
  await pass(9999)
  expect(shown).toBeNull()
  await pass(1)
  expect(shown).toBe(Date.now() - 10_000)
  await become("open")
  expect(shown).toBeNull()
})

test("what calls bring meanwhile is news too", async () => {
  await become("closed")
  for (let second = 0; second < 30; second += 2) {
    await show(Date.now())
    await pass(2000)
  }
  expect(shown).toBeNull()
  await pass(8000)
  expect(shown).toBe(Date.now() - 10_000)
})

test("where nothing was ever shown there is nothing to be old", async () => {
  await become("closed")
  await show(0)
  await pass(60_000)
  expect(shown).toBeNull()
})

test("where calls fail a socket that speaks brings no figures, until one comes", async () => {
  await become("open")
  const at = Date.now()
  await show(at)
  await pass(15_000)
  live.heardAt = Date.now()
  await show(at, true)
  await pass(0)
  expect(shown).toBe(at)
  await show(Date.now())
  expect(shown).toBeNull()
})
