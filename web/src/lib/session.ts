import { forgetDoor } from "./invitation.ts"
import { storedToken, TOKEN } from "./stored.ts"

const RELOADED = "kalos.reloaded"
const RELOAD_GAP = 10_000
const WIPE_PATIENCE = 1000
/** How the names begin under which something of one member is stored, by whichever part of the page. */
const OF_MEMBER = ["kalos.payment.", "kalos.receipts", "kalos.read", "kalos.stay", "kalos.sent."]

type Cleaner = () => unknown
const listeners = new Set<() => void>()
const enders = new Set<Cleaner>()
const forgetters = new Set<Cleaner>()

/** The token that this page goes by. Another tab's change counts once `look` has seen it, and then for all parts at once. */
let seen = storedToken()
let ended = 0

export function getToken(): string | null {
  return seen
}

export function startSession(token: string): void {
  localStorage.setItem(TOKEN, token)
  // Who is in needs neither any more, and the next in this tab is another: who wasn't invited by it, nor mailed a code.
  forgetDoor()
  void look()
}

/** Forget the token and everything that belonged to it; the promise ends when it is wiped from the device. */
export function endSession(): Promise<void> {
  localStorage.removeItem(TOKEN)
  return look()
}

/** End the session of this token, if it is still the present one on this device. */
export async function endSessionOf(token: string | null): Promise<void> {
  void look()
  if (token === seen) await endSession()
}

/** Forget what the server has said to this session; the session goes on. The promise ends when it is wiped. */
export function forgetAnswers(): Promise<unknown> {
  return run(forgetters)
}

/** Run when a session ends: what one member did must not be seen by the next. */
export function onSessionEnd(clean: Cleaner): () => void {
  enders.add(clean)
  return () => enders.delete(clean)
}

/** Run when answers are forgotten: at a session's end, and when the member asks for it. Only what can be fetched again. */
export function onForget(clean: Cleaner): () => void {
  forgetters.add(clean)
  return () => forgetters.delete(clean)
}

/** A mark of the present session, to tell what was stored in another one. Nothing leads from it to the token. */
export function sessionPrint(): string {
  let hash = 0x811c9dc5
  for (const letter of seen ?? "") hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
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

/** How many sessions have ended on this page. */
export const sessionsEnded = (): number => ended

/** Take what is stored now: log-in, log-out and another account in another tab count here too. */
async function look(): Promise<void> {
  const token = storedToken()
  if (token === seen) return
  const had = seen !== null
  seen = token
  if (had) ended++
  if (had) wipeStores()
  const wiped = had ? run([...forgetters, ...enders]) : undefined
  for (const listener of listeners) listener()
  await wiped
}

const run = (cleaners: Iterable<Cleaner>) => Promise.allSettled([...cleaners].map((clean) => clean()))

/** Here and not in the parts that store it: of those some were never loaded on this page. */
function wipeStores(): void {
  for (const store of [globalThis.localStorage, globalThis.sessionStorage])
    for (const key of Object.keys(store ?? {}))
      if (OF_MEMBER.some((start) => key.startsWith(start))) store.removeItem(key)
}

function mayReload(): boolean {
  const last = Number(localStorage.getItem(RELOADED) ?? 0)
  if (Math.abs(Date.now() - last) < RELOAD_GAP) return false
  localStorage.setItem(RELOADED, String(Date.now()))
  return true
}

// The session may have ended while this tab was away.
if (seen === null) wipeStores()
// The events say that something changed; a page that was asleep, or that Back brings again, may have missed them.
for (const event of ["storage", "pageshow", "focus"]) globalThis.addEventListener?.(event, () => void look())
globalThis.document?.addEventListener("visibilitychange", () => void look())
