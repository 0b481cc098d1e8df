import { Trans, useLingui } from "@lingui/react/macro"
import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { isZero, plus, share } from "../../lib/money.ts"
import { financeQuery } from "../../lib/queries.ts"
import { usePace } from "../../lib/rounds.ts"
import { ActionTile } from "../../ui/ActionTile.tsx"
import { Bar } from "../../ui/Bar.tsx"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Page } from "../../ui/Page.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { CoinRow } from "./CoinRow.tsx"
import { Movements } from "./Movements.tsx"
import { Total } from "./Total.tsx"

/** /node: every coin with what is free, what is held and what it is worth, and what moved last. */
export default function AssetsPage() {
  const { t } = useLingui()
  useAccountUpdates()
  const finance = useQuery({ ...financeQuery(), refetchInterval: usePace(60_000, 10_000) })
  return (
    <Page
      title={t`Assets`}
      root
      action={
        <Pressable to="/node1" className="flex min-h-11 items-center text-small text-brand-text">
          <Trans>History</Trans>
        </Pressable>
      }
    >
      <Total label={t`Total · USDT`} finance={finance} />
      <Allocation finance={finance} />
      <div className="mt-5 flex gap-2">
        <ActionTile icon="down" label={t`Top up`} to="/node3" filled />
        <ActionTile icon="list" label={t`History`} to="/node1" />
        <ActionTile icon="qr" label={t`Top-ups`} to="/node3" search={{ tab: "records" }} />
      </div>
      <Coins finance={finance} />
      <Movements most={5} />
    </Page>
  )
}

/** Which part of the total each coin is; nothing while there is no total. */
function Allocation({ finance: { data, isError } }: { finance: UseQueryResult<FinanceAnswer> }) {
  if (!data) return isError ? null : <Skeleton className="mt-3.5 h-2 w-full" />
  const { total, list } = data
  if (isZero(total)) return null
  const parts = list
    .filter(({ value }) => !isZero(value))
    .map(({ asset, value }) => ({ label: asset, share: share(value, total) }))
  return <Bar parts={parts} />
}

function Coins({ finance: { data, isError } }: { finance: UseQueryResult<FinanceAnswer> }) {
  const { t } = useLingui()
  const [hideZero, setHideZero] = useState(false)
  if (!data) return isError ? null : <SkeletonRows rows={2} />
  const shown = data.list.filter(({ available, held }) => !hideZero || !isZero(plus(available, held)))
  return (
    <Card flush>
      {shown.map((holding) => (
        <CoinRow key={holding.asset} holding={holding} />
      ))}
      {shown.length === 0 && <Empty text={t`All your coins are at zero.`} />}
      <Switch label={t`Hide zero balances`} checked={hideZero} onChange={setHideZero} />
    </Card>
  )
}
