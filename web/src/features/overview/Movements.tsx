import { Trans, useLingui } from "@lingui/react/macro"
import { decimalsOf } from "../../lib/money.ts"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { type Loadable, Loaded } from "../../ui/Loaded.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { SkeletonLines } from "../../ui/SkeletonRows.tsx"
import { EntryRow } from "./EntryRow.tsx"
import type { Movement } from "./useMovements.ts"

interface Props {
  movements: Loadable<Movement[]>
  /** So many lines are drawn while they are awaited. */
  most: number
}

/** The last movements of all coins, newest first. The total above them says where they are old. */
export function Movements({ movements, most }: Props) {
  const { t } = useLingui()
  const decimals = decimalsOf(movements.data?.map(({ row }) => row.amount) ?? [])
  return (
    <Card
      flush
      title={t`Last movements`}
      note={
        movements.data?.length ? (
          <Pressable
            to="/node1"
            className="-my-3 -mr-2 inline-flex min-h-11 items-center px-2 text-brand-text"
          >
            <Trans>All</Trans>
          </Pressable>
        ) : null
      }
    >
      <Loaded
        query={movements}
        marked
        skeleton={<SkeletonLines rows={most} />}
        empty={{ when: ({ length }) => length === 0, show: <Empty text={t`Nothing has moved yet.`} /> }}
      >
        {(newest) =>
          newest.map(({ coin, row }) => (
            <EntryRow
              key={coin + row.id}
              coin={coin}
              row={row}
              decimals={decimals}
              to="/node1"
              search={{ coin }}
            />
          ))
        }
      </Loaded>
    </Card>
  )
}
