import { useState } from "react"
import { useNow } from "../../lib/ticking.ts"

const KEY = "kalos.codeSent"
const GAP = 60_000

interface Sent {
  email: string
  until: number
}

/** When the next e-mail code may be asked for; survives a reload of the page. */
export function useResend(): {
  email: string
  seconds: number
  start: (email: string, gap?: number) => void
} {
  const [sent, setSent] = useState<Sent>(stored)
  const now = useNow(1000)
  return {
    email: sent.email,
    // The clock ticks once a second: what was sent since its last tick isn't a second more.
    seconds: Math.max(0, Math.ceil(Math.min(GAP, sent.until - now) / 1000)),
    start: (email, gap = GAP) => {
      const next = { email, until: Date.now() + gap }
      sessionStorage.setItem(KEY, JSON.stringify(next))
      setSent(next)
    },
  }
}

function stored(): Sent {
  try {
    const sent = JSON.parse(sessionStorage.getItem(KEY) ?? "") as Sent
    return typeof sent.email === "string" && typeof sent.until === "number" ? sent : { email: "", until: 0 }
  } catch {
    return { email: "", until: 0 }
  }
}
