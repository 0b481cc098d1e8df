import { useSyncExternalStore } from "react"

let reachable = true
let probing = false
let answers = 0
const listeners = new Set<(reachable: boolean) => void>()
const PROBE_EVERY = 4000

/** A request or the socket failed: ask the server once whether it is there before saying that it isn't. */
export function suspectOffline(): void {
  if (!probing) void probe()
}

/** An answer came: the server is there. */
export function markOnline(): void {
  answers++
  set(true)
}

/** Call `listener` when the server goes away and when it comes back. */
export function onNetwork(listener: (reachable: boolean) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useOnline(): boolean {
  return useSyncExternalStore(onNetwork, () => reachable)
}

/** Ask the server whether it is there. */
export async function isReachable(): Promise<boolean> {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PROBE_EVERY) })
    return answer.ok
  } catch {
    return false
  }
}

async function probe(): Promise<void> {
  probing = true
  const before = answers
  const ok = await isReachable()
  probing = false
  // An answer that came meanwhile says more than a probe that got none.
  set(ok || answers > before)
  if (!reachable) setTimeout(suspectOffline, PROBE_EVERY)
}

function set(to: boolean): void {
  if (to === reachable) return
  reachable = to
  for (const listener of listeners) listener(to)
}

globalThis.addEventListener?.("online", suspectOffline)
globalThis.addEventListener?.("offline", suspectOffline)
