import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Failed } from "../ui/Failed.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { type Column, Table } from "./Table.tsx"
import type { Listed } from "./useRows.ts"

interface Props<T> {
  listed: Listed<T>
  label: string
  /** What is said where there are none. */
  empty: string
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  onOpen?: (row: T) => void
  opened?: string | null | undefined
}

/** A list as it comes: its places, its rows with the way to more, none, or why it can't be shown. */
export function Rows<T>({ listed, empty, ...table }: Props<T>) {
  const { rows, problem, again, more, busy } = listed
  if (rows === undefined)
    return problem ? <Failed problem={problem} onRetry={again} /> : <Skeleton lines={6} />
  if (rows.length === 0) return <Empty text={empty} action={null} />
  return (
    <>
      {problem && <Failed problem={problem} onRetry={again} />}
      <Table {...table} rows={rows} />
      {more && (
        <div className="mx-auto mt-4 max-w-60">
          <Button kind="quiet" small busy={busy} onPress={more}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}
