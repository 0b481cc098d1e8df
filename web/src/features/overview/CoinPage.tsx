import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import type { StatementLine } from "../../lib/api.gen.ts"
import { dayRange } from "../../lib/days.ts"
import { financeQuery, pagesQuery } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Page } from "../../ui/Page.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { CoinHead } from "./CoinHead.tsx"
import { DateFilter } from "./DateFilter.tsx"
import { EntryRow } from "./EntryRow.tsx"
import { EntrySheet } from "./EntrySheet.tsx"
import { COINS, type Coin, type CoinSearch, SORTS } from "./search.ts"
import { kindOf, useSortNames } from "./sorts.ts"

const LOGS = { USDT: "/api/user/usdtLog", KLS: "/api/user/klsLog" } as const

/** /node1: one coin, and everything that ever moved it. Coin and filters stand in the address. */
export default function CoinPage() {
  const { t } = useLingui()
  const search = useSearch({ from: "/node1" })
  const navigate = useNavigate({ from: "/node1" })
  const [opened, setOpened] = useState<StatementLine | null>(null)
  const detail = useSheet("entry")
  const sortNames = useSortNames()
  useAccountUpdates()
  const finance = useQuery(financeQuery())
  const coin: Coin = search.coin ?? "USDT"
  const filtered = search.type !== undefined || search.from !== undefined || search.to !== undefined
  const entries = useInfiniteQuery(
    pagesQuery(LOGS[coin], {
      ...dayRange(search.from, search.to),
      ...(search.type && { kind: kindOf(search.type) }),
    }),
  )
  const change = (part: CoinSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true })
  return (
    <Page title={t`Account and history`} back="/node">
      <Chips
        label={t`Coin`}
        options={COINS.map((value) => ({ value, label: value }))}
        value={coin}
        onChange={(value) => change({ coin: value })}
      />
      <CoinHead coin={coin} finance={finance} />
      <div className="mt-6 flex items-center justify-between gap-3">
        <h2 className="text-h2">
          <Trans>History</Trans>
        </h2>
        <DateFilter from={search.from} to={search.to} onChange={(dates) => change(dates as CoinSearch)} />
      </div>
      <div className="mt-1">
        <Chips
          label={t`Type`}
          options={[
            { value: "all", label: t`All` },
            ...SORTS.map((value) => ({ value, label: sortNames[value] })),
          ]}
          value={search.type ?? "all"}
          onChange={(value) => change({ type: value === "all" ? undefined : value } as CoinSearch)}
        />
      </div>
      <InfiniteList
        query={entries}
        keyOf={(entry) => entry.id}
        dayOf={(entry) => entry.time}
        row={(entry) => (
          <EntryRow
            coin={coin}
            row={entry}
            inDay
            onPress={() => {
              setOpened(entry)
              detail.show()
            }}
          />
        )}
        empty={<NoEntries coin={coin} filtered={filtered} />}
      />
      {opened && <EntrySheet coin={coin} entry={opened} />}
    </Page>
  )
}

function NoEntries({ coin, filtered }: { coin: Coin; filtered: boolean }) {
  const { t } = useLingui()
  if (filtered) {
    return (
      <Empty
        text={t`Nothing in this choice.`}
        action={<Button kind="quiet" small to="/node1" search={{ coin }}>{t`Show everything`}</Button>}
      />
    )
  }
  if (coin === "KLS")
    return <Empty text={t`No KLS has moved yet. It pays withdrawal fees and can be staked in games.`} />
  return (
    <Empty
      text={t`No USDT has moved yet. It comes by a top-up to your own address.`}
      action={<Button small to="/node3">{t`Top up`}</Button>}
    />
  )
}
