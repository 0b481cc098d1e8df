import { useSyncExternalStore } from "react"

/** Apart from a member's, and of one tab: it ends when that is closed. */
const TOKEN = "kalos.operator"

/** Of the browser: it outlives sessions, and is another one than a member's. */
const DEVICE = "kalos.operator.device"

const listeners = new Set<() => void>()

export const getStaffToken = (): string | null => sessionStorage.getItem(TOKEN)

/** Begin a session of staff, or end it with null. */
export function setStaffToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN)
  else sessionStorage.setItem(TOKEN, token)
  for (const listener of listeners) listener()
}

/** What the last log-in here gave it: failures on a known device count for itself, and a stranger's don't lock it out. */
export function knownDevice(): { device?: string } {
  const device = localStorage.getItem(DEVICE)
  return device === null ? {} : { device }
}

export const keepDevice = (device: string): void => localStorage.setItem(DEVICE, device)

export function useStaffToken(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getStaffToken)
}
