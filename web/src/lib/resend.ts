import { t } from "@lingui/core/macro"
import { useState } from "react"
import { Refusal } from "./api.ts"
import { CODE_SENT } from "./stored.ts"
import { formatLeft, useNow } from "./ticking.ts"

const GAP = 60_000
/** From there on nobody reads seconds. */
const LONG = 100

interface Sent {
  /** Where the last code went. */
  email: string
  /** Who has to wait for another: a mail may have been refused to who was sent none. */
  waiting: string
  until: number
  gap: number
}
const NONE: Sent = { email: "", waiting: "", until: 0, gap: 0 }

/** When the next e-mail code may be asked for, and where the last one went; survives a reload of the page. */
export function useResend(key = CODE_SENT) {
  const [sent, setSent] = useState<Sent>(() => stored(key))
  const now = useNow(1000)
  const wait = (email: string, waiting: string, gap: number) => {
    const next = { email, waiting, until: Date.now() + gap, gap }
    setSent(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A full or forbidden store: a reload forgets the wait, and the server says it again.
    }
  }
  return {
    email: sent.email,
    waiting: sent.waiting,
    // The clock ticks once a second: what was sent since its last tick isn't a second more.
    seconds: Math.max(0, Math.ceil(Math.min(sent.gap, sent.until - now) / 1000)),
    /** A code went there. */
    start: (email: string) => wait(email, email, GAP),
    /** It was refused: where that says how long, no earlier press would be answered otherwise. */
    refused: (email: string, problem: Error) => {
      const gap = problem instanceof Refusal ? problem.retryAfterMs : null
      if (gap !== null) wait(sent.email, email, gap)
    },
  }
}

/** What stands on the button meanwhile. */
export const waitText = (seconds: number): string =>
  seconds < LONG ? t`Send again in ${seconds} s` : t`Send again in ${formatLeft(seconds * 1000)}`

function stored(key: string): Sent {
  try {
    const sent = JSON.parse(sessionStorage.getItem(key) ?? "") as Sent
    return typeof sent.email === "string" && typeof sent.waiting === "string" && sent.gap >= 0 ? sent : NONE
  } catch {
    return NONE
  }
}
