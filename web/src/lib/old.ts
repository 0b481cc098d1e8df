import { useEffect, useState } from "react"
import { FRESH } from "./fresh.ts"
import { useOnline } from "./network.ts"

/** A new answer that is on its way mostly comes within these: the old one isn't called so before. */
const PATIENCE = 1500

/** What came before is from another visit; what had come just before the page began may not be asked for again. */
const EARLIEST = performance.timeOrigin - FRESH

interface Asked {
  error: Error | null
  isFetching: boolean
  dataUpdatedAt: number
}

/** Whether an answer must be shown with its time: a later try failed, nothing answers, or it is from another day's visit. */
export function useOld({ error, isFetching, dataUpdatedAt }: Asked): boolean {
  const online = useOnline()
  const late = useLate(isFetching)
  return error !== null || !online || (dataUpdatedAt < EARLIEST && (late || !isFetching))
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
