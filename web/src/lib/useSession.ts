import { useSyncExternalStore } from "react"
import { getToken, onSession, sessionsEnded } from "./session.ts"

export function useToken(): string | null {
  return useSyncExternalStore(onSession, getToken)
}

/** How many sessions have ended on this page: what was made for one must not outlive it. */
export function useSessionsEnded(): number {
  return useSyncExternalStore(onSession, sessionsEnded)
}
