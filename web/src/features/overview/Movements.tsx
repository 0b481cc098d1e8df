import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { StatementLine } from "../../lib/api.gen.ts"
import { decimalsOf } from "../../lib/money.ts"
import { callQuery } from "../../lib/queries.ts"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failed } from "../../ui/Failed.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { SkeletonLines } from "../../ui/SkeletonRows.tsx"
import { EntryRow } from "./EntryRow.tsx"
import type { Coin } from "./search.ts"

/** The last movements of all coins, newest first. */
export function Movements({ most }: { most: number }) {
  const { t } = useLingui()
  const usdt = useQuery(callQuery("/api/user/usdtLog", { size: most }))
  const kls = useQuery(callQuery("/api/user/klsLog", { size: most }))
  const problem = usdt.error ?? kls.error
  const newest = [...entriesOf("USDT", usdt.data?.list), ...entriesOf("KLS", kls.data?.list)]
    .sort((a, b) => b.row.time - a.row.time)
    .slice(0, most)
  const decimals = decimalsOf(newest.map(({ row }) => row.amount))
  const retry = () => {
    void usdt.refetch()
    void kls.refetch()
  }
  return (
    <Card
      flush
      title={t`Last movements`}
      note={
        newest.length > 0 && (
          <Pressable
            to="/node1"
            className="-my-3 -mr-2 inline-flex min-h-11 items-center px-2 text-brand-text"
          >
            <Trans>All</Trans>
          </Pressable>
        )
      }
    >
      {newest.map(({ coin, row }) => (
        <EntryRow
          key={coin + row.id}
          coin={coin}
          row={row}
          decimals={decimals}
          to="/node1"
          search={{ coin }}
        />
      ))}
      {problem ? (
        <Failed onRetry={retry} problem={problem} />
      ) : usdt.isPending || kls.isPending ? (
        <SkeletonLines rows={most} />
      ) : (
        newest.length === 0 && <Empty text={t`Nothing has moved yet.`} />
      )}
    </Card>
  )
}

function entriesOf(coin: Coin, rows: readonly StatementLine[] = []) {
  return rows.map((row) => ({ coin, row }))
}
