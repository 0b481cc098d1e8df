// What this device keeps, read by the page's code and by what draws before it: it needs nothing of either.

/** What a member chose on this device; none of it leaves the device. */
export interface Settings {
  language: string
  /** The offer of the browser's own language was answered, or a language chosen. */
  offered: boolean
  theme: "system" | "ink" | "paper"
  prices: "green-up" | "red-up" | "cvd"
  /** How numbers are written: as the language does, or with the separators of this sample. */
  numbers: "language" | "1,234.5" | "1.234,5" | "1 234,5"
  hide: boolean
  haptics: boolean
  /** Less motion than the system would allow; never more. */
  still: boolean
  /** Of the offer to install the page: visits with a balance, when the last one was, when it was put away. */
  install: { visits: number; seen: number; away: number }
}

export const SETTINGS = "kalos.settings"
export const TOKEN = "kalos.token"
/** Whom the door has mailed a code. */
export const CODE_SENT = "kalos.codeSent"

const DEFAULTS: Settings = {
  language: "en",
  offered: false,
  theme: "system",
  prices: "green-up",
  numbers: "language",
  hide: false,
  haptics: true,
  still: false,
  install: { visits: 0, seen: 0, away: 0 },
}

/** What was chosen on this device before, with what goes without choosing. */
export function storedSettings(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}")
    return { ...DEFAULTS, ...(stored as Partial<Settings>) }
  } catch {
    return DEFAULTS
  }
}

export function storedToken(): string | null {
  return globalThis.localStorage?.getItem(TOKEN) ?? null
}
