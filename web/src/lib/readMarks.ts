import { useSyncExternalStore } from "react"
import { onSessionEnd } from "./session.ts"

const KEY = "kalos.read"
const MOST = 200

const listeners = new Set<() => void>()
let read: ReadonlySet<string> = load()

function load(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]")
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [])
  } catch {
    return new Set()
  }
}

/** Note that these bulletins were read, on this device and until the session ends; the oldest marks go first. */
export function markRead(ids: readonly string[]): void {
  if (ids.every((id) => read.has(id))) return
  take(new Set([...[...read].filter((id) => !ids.includes(id)), ...ids].slice(-MOST)))
  try {
    localStorage.setItem(KEY, JSON.stringify([...read]))
  } catch {
    // A full or forbidden store forgets it on reload; the page goes on.
  }
}

/** The ids of the bulletins that were read here. */
export function useRead(): ReadonlySet<string> {
  return useSyncExternalStore(follow, getRead)
}

export function getRead(): ReadonlySet<string> {
  return read
}

function follow(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function take(now: ReadonlySet<string>): void {
  read = now
  for (const listener of listeners) listener()
}

onSessionEnd(() => take(new Set()))
// What is read in another tab is read here too.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key === KEY) take(load())
})
