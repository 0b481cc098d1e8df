import { Trans, useLingui } from "@lingui/react/macro"
import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import type { FinanceAnswer, ValuedBalance } from "../../lib/api.gen.ts"
import { decimalsOf, isZero, plus } from "../../lib/money.ts"
import { financeQuery } from "../../lib/queries.ts"
import { usePace } from "../../lib/rounds.ts"
import { useStanding } from "../../lib/standing.ts"
import { Bar } from "../../ui/Bar.tsx"
import { Card } from "../../ui/Card.tsx"
import { Waiting } from "../../ui/Loaded.tsx"
import { NoneFound } from "../../ui/NoneFound.tsx"
import { Page } from "../../ui/Page.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { SearchField } from "../../ui/SearchField.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { Actions } from "./Actions.tsx"
import { ActionsSkeleton } from "./ActionsSkeleton.tsx"
import { begins } from "./begins.ts"
import { CoinRow } from "./CoinRow.tsx"
import { Movements } from "./Movements.tsx"
import { partsOf } from "./parts.ts"
import { Starter } from "./Starter.tsx"
import type { AssetsSearch } from "./search.ts"
import { Total } from "./Total.tsx"
import { useMovements } from "./useMovements.ts"

const MOST = 5

// Absent until their domains are built: Transfer, Exchange, the earnings block (pool, mining, NFT, USA, income to claim
// at /node4), the record of investments and the proof of solvency.
/** /node: every coin with what is free, what is held and what it is worth, and what moved last. */
export default function AssetsPage() {
  const { t } = useLingui()
  useAccountUpdates()
  const finance = useStanding(useQuery({ ...financeQuery(), refetchInterval: usePace(60_000, 10_000) }))
  const movements = useMovements(MOST)
  const starts = begins(finance, movements)
  return (
    <Page
      title={t`Assets`}
      root
      action={
        <>
          <Pressable to="/node1" className="flex min-h-11 items-center px-2">
            <Trans>Records</Trans>
          </Pressable>
          <RefreshButton />
        </>
      }
    >
      <Total label={t`Total · USDT`} finance={finance} with={[movements]} trend={!starts} />
      <Allocation finance={finance} />
      {starts === undefined ? <ActionsSkeleton /> : starts ? <Starter /> : <Actions />}
      {starts !== undefined ? (
        <>
          <Coins finance={finance} />
          <Movements movements={movements} most={MOST} />
        </>
      ) : (
        <Waiting onRetry={() => void finance.refetch()}>
          <SkeletonRows rows={3} />
          <SkeletonRows rows={MOST} />
        </Waiting>
      )}
    </Page>
  )
}

/** Which part of the total each coin is; nothing while there is no total. */
function Allocation({ finance: { data, isError } }: { finance: UseQueryResult<FinanceAnswer> }) {
  const { t } = useLingui()
  if (!data) {
    return isError ? null : (
      <>
        <Skeleton className="mt-3.5 h-2 w-full" />
        <Skeleton className="mt-2 h-[1.125rem] w-full" />
      </>
    )
  }
  if (isZero(data.total)) return null
  return (
    <Bar
      parts={partsOf(data).map(({ asset, share }) => ({
        label: asset ?? t({ message: "Other", context: "further coins" }),
        share,
      }))}
    />
  )
}

// So many coins are seen at a glance; more are searched.
const GLANCE = 8

function Coins({ finance: { data } }: { finance: UseQueryResult<FinanceAnswer> }) {
  const { t } = useLingui()
  const { hide, q = "" } = useSearch({ from: "/node" })
  const navigate = useNavigate({ from: "/node" })
  // The field keeps what is typed; the address follows it and may cut it.
  const [wanted, setWanted] = useState(q)
  const change = (part: { [K in keyof AssetsSearch]: AssetsSearch[K] | undefined }) =>
    void navigate({
      search: (now) => ({ ...now, ...part }) as AssetsSearch,
      replace: true,
      resetScroll: false,
    })
  if (!data) return null
  const isEmpty = ({ available, held }: ValuedBalance) => isZero(plus(available, held))
  const shown = data.list
    .filter((holding) => hide === undefined || !isEmpty(holding))
    .filter(({ asset }) => asset.includes(wanted.trim().toUpperCase()))
  const decimals = decimalsOf(shown.map(({ available, held }) => plus(available, held)))
  return (
    <>
      {data.list.length > GLANCE && (
        <div className="mt-4">
          <SearchField
            label={t`Search a coin`}
            value={wanted}
            onChange={(text) => {
              setWanted(text)
              change({ q: text.trim() || undefined })
            }}
          />
        </div>
      )}
      <Card flush>
        {shown.map((holding) => (
          <CoinRow key={holding.asset} holding={holding} decimals={decimals} />
        ))}
        {shown.length === 0 && (
          <NoneFound
            text={wanted === "" ? t`All your coins are at zero.` : t`No such coin.`}
            all={{
              onPress: () => {
                setWanted("")
                change({ q: undefined, hide: undefined })
              },
            }}
          />
        )}
        {data.list.some(isEmpty) && (
          <Switch
            label={t`Hide zero balances`}
            checked={hide !== undefined}
            onChange={(hidden) => change({ hide: hidden ? "zero" : undefined })}
          />
        )}
      </Card>
    </>
  )
}
