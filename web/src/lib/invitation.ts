/** The invitation that registration keeps: it outlives a reload, and the way to log-in and back. */
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

export function forgetInvitation(): void {
  try {
    sessionStorage.removeItem(INVITATION)
  } catch {}
}
