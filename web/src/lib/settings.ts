import { SETTINGS, type Settings, storedSettings } from "./stored.ts"

export type { Settings }

const listeners = new Set<(settings: Settings) => void>()
let current: Settings = storedSettings()

export function getSettings(): Settings {
  return current
}

export function setSettings(changed: Partial<Settings>): void {
  current = { ...current, ...changed }
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(current))
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

// Another tab's choice counts here too.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key !== SETTINGS) return
  current = storedSettings()
  for (const listener of listeners) listener(current)
})
