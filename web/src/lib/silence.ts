import { useEffect, useState } from "react"
import { live, useLiveState } from "./live.ts"

const SILENCE = 10_000

/**
 * When figures that the socket keeps fresh last had news; null while it speaks and for the first ten seconds of its
 * silence. `updatedAt`: when calls last brought them; `fails`: the last one did not, and a socket that speaks says
 * only that something has changed.
 */
export function useSilentSince(updatedAt: number, fails = false): number | null {
  const speaks = useLiveState() === "open" && !fails
  const at = fails ? updatedAt : Math.max(updatedAt, live.heardAt)
  const [late, setLate] = useState(0)
  useEffect(() => {
    if (speaks || at === 0) return
    const timer = setTimeout(() => setLate(at), at + SILENCE - Date.now())
    return () => clearTimeout(timer)
  }, [speaks, at])
  return !speaks && late === at && at > 0 ? at : null
}
