import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from "@tanstack/react-query"
import { useState } from "react"
import type { Page } from "../lib/calls.ts"
import { rowsOf } from "../lib/queries.ts"
import { useSheet } from "./Sheet.tsx"

interface Asked<Row, Key extends QueryKey> {
  /** The name of the row's sheet. */
  sheet: string
  /** What the list shows now. */
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The list without its filter, and how often it is asked for while a row is followed there. */
  all: UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, Key, string>
  everyMs: number
}

/** The row of a list that was opened, as it stands now: what becomes of it may take it out of the list's filter. */
export function useOpenedRow<Row, Key extends QueryKey>({
  sheet,
  rows,
  keyOf,
  all,
  everyMs,
}: Asked<Row, Key>) {
  const [opened, setOpened] = useState<Row>()
  const detail = useSheet(sheet, opened !== undefined)
  const isOpened = (row: Row) => opened !== undefined && keyOf(row) === keyOf(opened)
  const listed = rows.find(isOpened)
  const enabled = detail.shown && listed === undefined
  const everything = useInfiniteQuery({ ...all, enabled, refetchInterval: everyMs })
  return {
    row: listed ?? rowsOf(everything.data).find(isOpened) ?? opened,
    open: (row: Row) => {
      setOpened(row)
      detail.show()
    },
  }
}
