import { Trans, useLingui } from "@lingui/react/macro"
import type { InfiniteData } from "@tanstack/react-query"
import { type ReactNode, useEffect, useRef } from "react"
import { groupByDay } from "../lib/byDay.ts"
import type { Page } from "../lib/calls.ts"
import { rowsOf } from "../lib/queries.ts"
import { formatDay } from "../lib/time.ts"
import { type Loadable, Loaded } from "./Loaded.tsx"
import { Pressable } from "./Pressable.tsx"
import { SkeletonRows } from "./SkeletonRows.tsx"

interface Props<Row> {
  query: Loadable<InfiniteData<Page<Row>>> & {
    hasNextPage: boolean
    isFetching: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: (options?: { cancelRefetch: boolean }) => unknown
  }
  row: (row: Row) => ReactNode
  keyOf: (row: Row) => string
  /** Group rows under their day (milliseconds of the row). */
  dayOf?: (row: Row) => number
  empty: ReactNode
  skeletonRows?: number
  /** Instead of rows with a disc. */
  skeleton?: ReactNode
}

/** A list that grows while its pages are full. A page that fails leaves the earlier ones and offers a retry. */
export function InfiniteList<Row>({
  query,
  row,
  keyOf,
  dayOf,
  empty,
  skeletonRows = 8,
  skeleton,
}: Props<Row>) {
  return (
    <Loaded
      query={{ ...query, error: query.isFetchNextPageError ? null : query.error }}
      skeleton={skeleton ?? <SkeletonRows rows={skeletonRows} />}
      empty={{ when: (data) => rowsOf(data).length === 0 && !query.hasNextPage, show: empty }}
    >
      {(data) => (
        <>
          {groups(rowsOf(data), dayOf).map(({ day, rows }) => (
            <section key={day} className="mt-4 rounded-card bg-s1 px-4 py-1.5">
              {day !== "" && <h2 className="sticky top-14 z-10 bg-s1 py-2 text-small text-t3">{day}</h2>}
              <ul>
                {rows.map((item) => (
                  <li key={keyOf(item)}>{row(item)}</li>
                ))}
              </ul>
            </section>
          ))}
          <Foot query={query} />
        </>
      )}
    </Loaded>
  )
}

function Foot<Row>({ query }: Pick<Props<Row>, "query">) {
  const { t } = useLingui()
  const mark = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  // One request at a time: not while rows are asked for anew, and never instead of that.
  const wanted = hasNextPage && !isFetching && !isFetchNextPageError
  const next = () => void fetchNextPage({ cancelRefetch: false })
  useEffect(() => {
    if (!wanted || !mark.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && next(), {
      rootMargin: "400px",
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  })
  return (
    <div
      ref={mark}
      role="status"
      className="flex min-h-12 items-center justify-center gap-2 pt-3 text-small text-t3"
    >
      {isFetchingNextPage && t`Loading more`}
      {isFetchNextPageError && (
        <>
          <Trans>The next rows didn't load.</Trans>
          <Pressable onPress={next} className="min-h-11 px-2 text-brand-text">
            <Trans>Try again</Trans>
          </Pressable>
        </>
      )}
      {!hasNextPage && <Trans>That is all</Trans>}
    </div>
  )
}

function groups<Row>(rows: Row[], dayOf?: (row: Row) => number): { day: string; rows: Row[] }[] {
  if (!dayOf) return [{ day: "", rows }]
  return groupByDay(rows, dayOf).map(({ start, rows: own }) => ({ day: formatDay(start), rows: own }))
}
