import { useSyncExternalStore } from "react"

let reachable = true
let probing = false
let answers = 0
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(reachable: boolean) => void>()
const PATIENCE = 4000
const FIRST_WAIT = 4000
const LONGEST_WAIT = 16_000
const RETURN_SPREAD = 2000

/** A request or the socket failed: ask the server once whether it is there before saying that it isn't. */
export function suspectOffline(): void {
  // While it is known to be away it is asked for at its own pace, however much fails meanwhile.
  if (!probing && timer === undefined) void probe()
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

/**
 * Call `listener` some time after the server is back, if it still is: each listener of each page at another moment, for
 * all that were away come back together.
 */
export function onReturn(listener: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  const stop = onNetwork((back) => {
    clearTimeout(waiting)
    if (back) waiting = setTimeout(listener, Math.random() * RETURN_SPREAD)
  })
  return () => {
    clearTimeout(waiting)
    stop()
  }
}

export function useOnline(): boolean {
  return useSyncExternalStore(onNetwork, () => reachable)
}

/** Ask the server whether it is there. */
export async function isReachable(): Promise<boolean> {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })
    // One that isn't read holds its connection until the time is over, and a browser has six.
    await answer.text()
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
  if (reachable) return
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures++)
  timer = setTimeout(probeNow, wait * (1 + Math.random() / 4))
}

function probeNow(): void {
  forgetTimer()
  suspectOffline()
}

function forgetTimer(): void {
  clearTimeout(timer)
  timer = undefined
}

function set(to: boolean): void {
  if (to) {
    forgetTimer()
    failures = 0
  }
  if (to === reachable) return
  reachable = to
  for (const listener of listeners) listener(to)
}

globalThis.addEventListener?.("online", probeNow)
globalThis.addEventListener?.("offline", probeNow)
