import { useSyncExternalStore } from "react"

const TOKEN = "kalos.token"
const RELOADED = "kalos.reloaded"
const RELOAD_GAP = 10_000
const WIPE_PATIENCE = 1000

type Cleaner = () => unknown
const listeners = new Set<() => void>()
const cleaners = new Set<Cleaner>()

/** The token that this page goes by. Another tab's change counts once `look` has seen it, and then for all parts at once. */
let seen = stored()
let ended = 0

export function getToken(): string | null {
  return seen
}

export function startSession(token: string): void {
  localStorage.setItem(TOKEN, token)
  void look()
}

/** Forget the token and everything that belonged to it; the promise ends when it is wiped from the device. */
export function endSession(): Promise<void> {
  localStorage.removeItem(TOKEN)
  return look()
}

/** Forget what the server has said to this session; the session goes on. The promise ends when it is wiped. */
export function forgetAnswers(): Promise<unknown> {
  return Promise.allSettled([...cleaners].map((clean) => clean()))
}

/** Run when a session ends: caches of one member must not be seen by the next. */
export function onSessionEnd(clean: Cleaner): () => void {
  cleaners.add(clean)
  return () => cleaners.delete(clean)
}

/**
 * The server no longer knows `token` (406): forget it and load the page anew, on this device at most once in ten
 * seconds however many tabs and calls hear it. Returns whether the page is loaded anew.
 */
export async function sessionLost(
  token: string | null,
  reload: () => void = () => location.reload(),
): Promise<boolean> {
  await look()
  // An answer to an old token says nothing about the present one.
  if (token === null || token !== seen) return false
  const wiped = endSession()
  if (!mayReload()) return false
  await Promise.race([wiped, new Promise((done) => setTimeout(done, WIPE_PATIENCE))])
  reload()
  return true
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToken(): string | null {
  return useSyncExternalStore(onSession, getToken)
}

/** How many sessions have ended on this page: what was made for one must not outlive it. */
export function useSessionsEnded(): number {
  return useSyncExternalStore(onSession, () => ended)
}

/** Take what is stored now: log-in, log-out and another account in another tab count here too. */
async function look(): Promise<void> {
  const token = stored()
  if (token === seen) return
  const had = seen !== null
  seen = token
  if (had) ended++
  const wiped = had ? forgetAnswers() : undefined
  for (const listener of listeners) listener()
  await wiped
}

function stored(): string | null {
  return globalThis.localStorage?.getItem(TOKEN) ?? null
}

function mayReload(): boolean {
  const last = Number(localStorage.getItem(RELOADED) ?? 0)
  if (Math.abs(Date.now() - last) < RELOAD_GAP) return false
  localStorage.setItem(RELOADED, String(Date.now()))
  return true
}

// The events say that something changed; a page that was asleep, or that Back brings again, may have missed them.
for (const event of ["storage", "pageshow", "focus"]) globalThis.addEventListener?.(event, () => void look())
globalThis.document?.addEventListener("visibilitychange", () => void look())
