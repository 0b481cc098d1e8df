import { useEffect, useState } from "react"
import { FRESH } from "./fresh.ts"
import { useOnline } from "./network.ts"

/** A new answer that is on its way mostly comes within these: the old one isn't called so before. */
const PATIENCE = 1500

/** What came before is from another visit; what had come just before the page began may not be asked for again. */
const EARLIEST = performance.timeOrigin - FRESH

/** Older than that is called so where a new answer doesn't come: a phone that wakes shows what it had hours ago. */
const AGED = 60_000

interface Asked {
  error: Error | null
  isFetching: boolean
  dataUpdatedAt: number
}

/** Whether an answer must be shown with its time: a later try failed, nothing answers, a new
 * answer is late, or it is from another day's visit. */
export function useOld({ error, isFetching, dataUpdatedAt }: Asked): boolean {
  const online = useOnline()
  const late = useLate(isFetching)
  const isLate = late && dataUpdatedAt < Date.now() - AGED
  return error !== null || !online || isLate || (dataUpdatedAt < EARLIEST && (late || !isFetching))
}

/** Whether what is being fetched has not come in a moment. */
function useLate(isFetching: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!isFetching) return
    const timer = setTimeout(() => setLate(true), PATIENCE)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isFetching])
  return late
}
