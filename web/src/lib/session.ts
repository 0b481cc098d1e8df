import { useSyncExternalStore } from "react"

const TOKEN = "kalos.token"
const RELOADED = "kalos.reloaded"
const RELOAD_GAP = 10_000

const listeners = new Set<() => void>()
const cleaners = new Set<() => void>()

export function getToken(): string | null {
  return localStorage.getItem(TOKEN)
}

export function startSession(token: string): void {
  localStorage.setItem(TOKEN, token)
  announce()
}

/** Forget the token and everything that belonged to it on this page. */
export function endSession(): void {
  localStorage.removeItem(TOKEN)
  for (const clean of cleaners) clean()
  announce()
}

/** Run when a session ends: caches of one member must not be seen by the next. */
export function onSessionEnd(clean: () => void): () => void {
  cleaners.add(clean)
  return () => cleaners.delete(clean)
}

/** The server no longer knows the token (406): forget it and load the page anew, at most once in ten seconds. */
export function sessionLost(reload: () => void = () => location.reload()): void {
  if (getToken() === null) return
  endSession()
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < RELOAD_GAP) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  reload()
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToken(): string | null {
  return useSyncExternalStore(onSession, getToken)
}

function announce(): void {
  for (const listener of listeners) listener()
}

// Log-in and log-out in another tab count here too.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key === TOKEN) announce()
})
