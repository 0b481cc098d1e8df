import { useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { StatementLine } from "../../lib/api.gen.ts"
import { dayRange } from "../../lib/days.ts"
import { decimalsOf } from "../../lib/money.ts"
import { pagesQuery, rowsOf } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { NoneFound } from "../../ui/NoneFound.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { useCoinNames } from "./coinNames.ts"
import { assetOf, logOf } from "./coins.ts"
import { EntryRow } from "./EntryRow.tsx"
import { EntrySheet } from "./EntrySheet.tsx"
import type { Coin, Sort } from "./search.ts"
import { kindOf } from "./sorts.ts"

interface Props {
  coin: Coin
  type: Sort | undefined
  from: string | undefined
  to: string | undefined
}

/** What moved one coin, newest first and grouped by day; each line opens in full. */
export function Statement({ coin, type, from, to }: Props) {
  const [opened, setOpened] = useState<StatementLine | null>(null)
  const detail = useSheet("entry", opened !== null)
  const entries = useInfiniteQuery(
    pagesQuery(logOf(coin), { ...dayRange(from, to), ...(type && { kind: kindOf(type) }) }),
  )
  const filtered = type !== undefined || from !== undefined || to !== undefined
  const decimals = decimalsOf(rowsOf(entries.data).flatMap(({ amount, balance }) => [amount, balance]))
  return (
    <>
      <InfiniteList
        query={entries}
        keyOf={(entry) => entry.id}
        dayOf={(entry) => entry.time}
        row={(entry) => (
          <EntryRow
            coin={assetOf(coin)}
            row={entry}
            decimals={decimals}
            inDay
            onPress={() => {
              setOpened(entry)
              detail.show()
            }}
          />
        )}
        empty={<NoEntries coin={coin} filtered={filtered} />}
      />
      {opened && <EntrySheet coin={assetOf(coin)} entry={opened} />}
    </>
  )
}

function NoEntries({ coin, filtered }: { coin: Coin; filtered: boolean }) {
  const { t } = useLingui()
  const name = useCoinNames()(coin)
  if (filtered)
    return <NoneFound text={t`Nothing in this choice.`} all={{ to: "/node1", search: { coin } }} />
  if (coin === "KLS") {
    return (
      <Empty
        text={t`No KLS has moved yet. What a withdrawal's fee lacks of it is bought in the same step.`}
        action={<Button kind="quiet" small to="/node4">{t`Withdraw`}</Button>}
      />
    )
  }
  if (coin !== "USDT") {
    return (
      <Empty
        text={t`${name}: nothing has moved yet.`}
        action={<Button kind="quiet" small to="/node">{t`To the assets`}</Button>}
      />
    )
  }
  return (
    <Empty
      text={t`No USDT has moved yet. It comes by a top-up to your own address.`}
      action={<Button small to="/node3">{t`Top up`}</Button>}
    />
  )
}
