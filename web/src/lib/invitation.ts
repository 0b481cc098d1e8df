import { CODE_SENT } from "./stored.ts"

// What the door keeps of who comes in: it outlives a reload, and the way to log-in and back.

const INVITATION = "kalos.invitation"

// A full or forbidden store loses it on reload; the page goes on.

export function keptInvitation(): string {
  try {
    return sessionStorage.getItem(INVITATION) ?? ""
  } catch {
    return ""
  }
}

export function keepInvitation(code: string): void {
  try {
    sessionStorage.setItem(INVITATION, code)
  } catch {}
}

/** The invitation, and whom a code was mailed to. */
export function forgetDoor(): void {
  try {
    for (const key of [INVITATION, CODE_SENT]) sessionStorage.removeItem(key)
  } catch {}
}
