import { useSyncExternalStore } from "react"

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

const KEY = "kalos.settings"
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

const listeners = new Set<(settings: Settings) => void>()
let current: Settings = load()

function load(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}")
    return { ...DEFAULTS, ...(stored as Partial<Settings>) }
  } catch {
    return DEFAULTS
  }
}

export function getSettings(): Settings {
  return current
}

export function setSettings(changed: Partial<Settings>): void {
  current = { ...current, ...changed }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // A full or forbidden store loses the choice on reload; the page goes on.
  }
  for (const listener of listeners) listener(current)
}

/** Call `listener` after each change; returns the way to stop. */
export function onSettings(listener: (settings: Settings) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSetting<K extends keyof Settings>(name: K): [Settings[K], (value: Settings[K]) => void] {
  const value = useSyncExternalStore(onSettings, () => current[name])
  return [value, (next) => setSettings({ [name]: next })]
}

// Another tab's choice counts here too.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key !== KEY) return
  current = load()
  for (const listener of listeners) listener(current)
})
