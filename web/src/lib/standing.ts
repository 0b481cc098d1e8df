import { useState } from "react"

interface Asked {
  data: unknown
  error: Error | null
  isFetching: boolean
  /** How often it failed; of another query that takes its place it begins anew. */
  errorUpdateCount?: number
  refetch: () => unknown
}

/**
 * A query that failed before there was anything to show: it stands as failed while it is asked for again by itself, so
 * that nothing on the screen comes and goes meanwhile. Whoever presses "Try again" sees the wait.
 */
export function useStanding<Q extends Asked>(query: Q): Q {
  const [failure, setFailure] = useState<Error | null>(null)
  const again = query.data === undefined && query.isFetching && Boolean(query.errorUpdateCount)
  const stands = again ? failure : query.error
  if (stands !== failure) setFailure(stands)
  if (stands === null) return query
  const refetch = () => {
    setFailure(null)
    return query.refetch()
  }
  return again
    ? { ...query, error: stands, isError: true, isPending: false, isFetching: false, refetch }
    : { ...query, refetch }
}
