import { useState } from "react"
import { useNow } from "./ticking.ts"

const GAP = 60_000

interface Sent {
  email: string
  until: number
}

/** When the next e-mail code may be asked for, and where the last one went; survives a reload of the page. */
export function useResend(key = "kalos.codeSent"): {
  email: string
  seconds: number
  start: (email: string, gap?: number) => void
} {
  const [sent, setSent] = useState<Sent>(() => stored(key))
  const now = useNow(1000)
  return {
    email: sent.email,
    // The clock ticks once a second: what was sent since its last tick isn't a second more.
    seconds: Math.max(0, Math.ceil(Math.min(GAP, sent.until - now) / 1000)),
    start: (email, gap = GAP) => {
      const next = { email, until: Date.now() + gap }
      sessionStorage.setItem(key, JSON.stringify(next))
      setSent(next)
    },
  }
}

function stored(key: string): Sent {
  try {
    const sent = JSON.parse(sessionStorage.getItem(key) ?? "") as Sent
    return typeof sent.email === "string" && typeof sent.until === "number" ? sent : { email: "", until: 0 }
  } catch {
    return { email: "", until: 0 }
  }
}
