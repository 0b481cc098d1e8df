import { Trans } from "@lingui/react/macro"
import { type ReactNode, useEffect, useState } from "react"
import { useOld } from "../lib/old.ts"
import { useStanding } from "../lib/standing.ts"
import { formatMoment } from "../lib/time.ts"
import { Failed } from "./Failed.tsx"
import { Pressable } from "./Pressable.tsx"

/** The part of a query's state that a screen needs. */
export interface Loadable<T> {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  dataUpdatedAt: number
  refetch: () => unknown
  errorUpdateCount?: number
}

interface Props<T> {
  query: Loadable<T>
  /** The same geometry without content. */
  skeleton: ReactNode
  /** When there is nothing to show, and what then. */
  empty?: { when: (data: T) => boolean; show: ReactNode }
  /** Something above it says already how old it is. */
  marked?: boolean | undefined
  children: (data: T) => ReactNode
}

/**
 * One query on the screen in each of its states: skeleton, failure (or what it takes to be let in), empty, content,
 * and old content with its time after a failure or without a connection.
 */
export function Loaded<T>({ query: asked, skeleton, empty, marked, children }: Props<T>) {
  const query = useStanding(asked)
  const { data, error } = query
  const retry = () => void query.refetch()
  if (data === undefined) {
    if (error !== null && !query.isFetching) return <Failed problem={error} onRetry={retry} />
    return <Waiting onRetry={retry}>{skeleton}</Waiting>
  }
  return (
    <>
      {!marked && <Stale query={query} />}
      {empty?.when(data) ? empty.show : children(data)}
    </>
  )
}

const PATIENCE = 8000

/** Something is on its way; where that takes long, it says so and can be asked for again. */
export function Waiting({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true">
      {children}
      {long && (
        <p role="status" className="mt-3 flex items-center justify-center gap-2 text-small text-t3">
          <Trans>Still loading</Trans>
          <Pressable onPress={onRetry} className="min-h-11 px-2 text-brand-text">
            <Trans>Try again</Trans>
          </Pressable>
        </p>
      )}
    </div>
  )
}

/** Of when an old answer is, above it; nothing above a new one. */
export function Stale({ query }: { query: Loadable<unknown> }) {
  const old = useOld(query)
  if (!old || query.data === undefined) return null
  return (
    <p
      role="status"
      aria-busy={query.isFetching}
      className="mt-3 flex items-center justify-between gap-3 rounded-chip bg-s1 py-1 pr-1 pl-3 text-small text-warn"
    >
      <Trans>Not up to date: as of {formatMoment(query.dataUpdatedAt)}</Trans>
      <Pressable onPress={() => void query.refetch()} className="min-h-11 px-3 text-brand-text">
        <Trans>Try again</Trans>
      </Pressable>
    </p>
  )
}
