import { act } from "react"
import { afterEach, beforeEach, vi } from "vitest"
import { setSettings } from "../lib/settings.ts"

/** The moment at which each test begins. */
export const NOW = 1_763_740_800_000

/** Every test of the file begins at one moment, and time passes as it says; the real clock and settings come back. */
export function holdClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] })
    vi.setSystemTime(NOW)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    setSettings({ hide: false, language: "en" })
  })
}

/** Let so many milliseconds pass on the page. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
