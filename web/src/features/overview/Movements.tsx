import { Trans, useLingui } from "@lingui/react/macro"
import { useDeferredValue } from "react"
import { decimalsOf } from "../../lib/money.ts"
import { Button } from "../../ui/Button.tsx"
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
  // Rows are drawn in slices: an answer alone would have all of them drawn in one go.
  const data = useDeferredValue(movements.data)
  const decimals = decimalsOf(data?.map(({ row }) => row.amount) ?? [])
  return (
    <Card
      flush
      title={t`Last movements`}
      note={
        data?.length ? (
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
        query={{ ...movements, data }}
        marked
        skeleton={<SkeletonLines rows={most} />}
        empty={{
          when: ({ length }) => length === 0,
          show: (
            <Empty
              text={t`Nothing has moved yet.`}
              action={
                <Button kind="quiet" small to="/node3" search={{ tab: "address" }}>
                  <Trans>Show my address</Trans>
                </Button>
              }
            />
          ),
        }}
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
