import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { IncomeAnswer } from "../../lib/api.gen.ts"
import { incomeQuery } from "../../lib/queries.ts"
import { usePace } from "../../lib/rounds.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Card } from "../../ui/Card.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { HideToggle } from "../../ui/HideToggle.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Price } from "../../ui/Price.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Row } from "../../ui/Row.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import type { Span } from "./search.ts"

// Dividends, referrals, releases and the shop come with their domains.
/** What came to the member in a span of time, and where from. */
export function Income() {
  const { t } = useLingui()
  const { span = "today" } = useSearch({ from: "/node1" })
  const navigate = useNavigate({ from: "/node1" })
  const income = useQuery({ ...incomeQuery(), refetchInterval: usePace(60_000, 10_000) })
  return (
    <>
      <Chips
        label={t`Time`}
        options={[
          { value: "today", label: t`Today` },
          { value: "yesterday", label: t`Yesterday` },
          { value: "total", label: t`All time` },
        ]}
        value={span}
        onChange={(next) => void navigate({ search: (now) => ({ ...now, span: next }), replace: true })}
      />
      <div className="mt-4 -mr-3 flex items-center justify-between">
        <p className="flex items-center text-small text-t3">
          <Trans>Income · USDT</Trans>
          <HideToggle />
        </p>
        <RefreshButton />
      </div>
      <Loaded query={income} skeleton={<IncomeSkeleton />}>
        {(data) => <Sources income={data} span={span} />}
      </Loaded>
    </>
  )
}

function Sources({ income, span }: { income: IncomeAnswer; span: Span }) {
  const { t } = useLingui()
  const { game, total } = income[span]
  return (
    <>
      <Amount value={total} hero sign private />
      <Card flush title={t`Sources`}>
        <Row
          icon={
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-s2 text-t2">
              <Icon name="play" size={4} />
            </span>
          }
          title={t`Games`}
          note={t`Won, less the stakes you lost`}
          value={<Amount value={game} sign private tone="sign" />}
          to="/game1"
          search={{ view: "bets" }}
        />
      </Card>
      <p className="mt-4 text-small text-t3">
        <Trans>
          Income is what you didn't have before: stakes that came back and top-ups are none. KLS counts at its
          present price of <Price value={income.price_source.price} asset="USDT" still />. Days begin at 00:00
          UTC+8.
        </Trans>
      </p>
    </>
  )
}

function IncomeSkeleton() {
  return (
    <>
      <Skeleton className="h-11 w-52" />
      <SkeletonCard className="h-28" />
    </>
  )
}
