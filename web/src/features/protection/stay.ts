import { useEffect, useSyncExternalStore } from "react"
import { useNow } from "../../lib/ticking.ts"

/** How long the member has been here, by the device's clock: since when, seen last, and since when not reminded. */
export interface Stay {
  since: number
  seen: number
  told: number
}

// One clock for all tabs; session.ts wipes it with the session.
const KEY = "kalos.stay"
const PACE_MS = 5_000
/** Whoever is away for longer begins anew. */
const AWAY_MS = 5 * 60_000

const listeners = new Set<() => void>()

/** The stay as it goes on at `now`, or a new one. */
export function goesOn(stay: Stay | null, now: number): Stay {
  // A clock that was set back would count for hours what it has counted already.
  if (stay === null || now < stay.since || now - stay.seen > AWAY_MS)
    return { since: now, seen: now, told: now }
  return { ...stay, seen: Math.max(stay.seen, now) }
}

/** The member knows how long it has been: the next reminder counts from here. */
export function tellStay(now = Date.now()): void {
  keep({ ...goesOn(read(), now), told: now })
}

/** Follow the stay; it goes on while the page is in sight. */
export function useStay(): Stay {
  const now = useNow(PACE_MS)
  const text = useSyncExternalStore(listen, stored)
  useEffect(() => {
    if (document.visibilityState === "visible") keep(goesOn(read(), now))
  }, [now])
  return parse(text) ?? goesOn(null, now)
}

function keep(stay: Stay): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stay))
  } catch {
    // A full or forbidden store reminds of nothing.
  }
  for (const listener of listeners) listener()
}

const stored = (): string | null => localStorage.getItem(KEY)
const read = (): Stay | null => parse(stored())

function parse(text: string | null): Stay | null {
  try {
    const { since, seen, told } = JSON.parse(text ?? "{}") as Partial<Stay>
    const whole = [since, seen, told].every(Number.isSafeInteger)
    return whole ? ({ since, seen, told } as Stay) : null
  } catch {
    return null
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  globalThis.addEventListener("storage", listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener("storage", listener)
  }
}
