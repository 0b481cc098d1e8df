import { afterEach, beforeEach, vi } from "vitest"
import { setSettings } from "../lib/settings.ts"

/** Every test of the file begins at one moment, and time passes as it says; the real clock and settings come back. */
export function holdClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] })
    vi.setSystemTime(1_763_740_800_000)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    setSettings({ hide: false, language: "en" })
  })
}
