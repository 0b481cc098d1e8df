import { useSyncExternalStore } from "react"

/** Apart from a member's, and of one tab: it ends when that is closed. */
const TOKEN = "kalos.operator"

const listeners = new Set<() => void>()

export const getStaffToken = (): string | null => sessionStorage.getItem(TOKEN)

/** Begin a session of staff, or end it with null. */
export function setStaffToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN)
  else sessionStorage.setItem(TOKEN, token)
  for (const listener of listeners) listener()
}

export function useStaffToken(): string | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getStaffToken)
}
