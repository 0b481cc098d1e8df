import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { Suspense, useState } from "react"
import { useLater } from "../../lib/later.ts"
import { isZero } from "../../lib/money.ts"
import { optional } from "../../lib/optional.ts"
import { financeQuery, incomeQuery } from "../../lib/queries.ts"
import { useStanding } from "../../lib/standing.ts"
import { Page } from "../../ui/Page.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { Actions } from "./Actions.tsx"
import { ActionsSkeleton } from "./ActionsSkeleton.tsx"
import { begins } from "./begins.ts"
import { HomeHeader } from "./HomeHeader.tsx"
import { IncomeToday } from "./IncomeToday.tsx"
import { Starter } from "./Starter.tsx"
import { Total } from "./Total.tsx"
import { useMovements } from "./useMovements.ts"

/** How many of the last movements are shown. */
const MOST = 3

// Asked for once the first part stands: that waits for nothing of it.
const HomeRest = optional(() => import("./HomeRest.tsx"))

// Transfer, Exchange, search, markets, the citizen card, the ranking and the services beside Invite and All come with their
// domains.
/** /home: what I have and can do first, then what runs now and where to go. */
export default function HomePage() {
  const { t } = useLingui()
  const later = useLater()
  const finance = useStanding(useQuery(financeQuery()))
  // Asked for where the list comes near, and of who has nothing: whether anything ever moved.
  const [near, setNear] = useState(false)
  const movements = useMovements(MOST, near || (finance.data !== undefined && isZero(finance.data.total)))
  const starts = begins(finance, movements)
  const income = useQuery({ ...incomeQuery(), enabled: later && !starts })
  return (
    <Page title={t`Home`} header={<HomeHeader later={later} />}>
      <Total
        label={t`Total balance · USDT`}
        finance={finance}
        leads
        corner={income.data && !starts ? <IncomeToday income={income.data} /> : null}
        with={[movements, income]}
      />
      {starts === undefined ? <ActionsSkeleton /> : starts ? <Starter /> : <Actions />}
      <Suspense fallback={<RestSkeleton />}>
        {later ? (
          <HomeRest
            finance={finance}
            starts={starts === true}
            movements={movements}
            most={MOST}
            onNear={setNear}
          />
        ) : (
          <RestSkeleton />
        )}
      </Suspense>
    </Page>
  )
}

function RestSkeleton() {
  return (
    <div aria-busy="true">
      <SkeletonCard className="h-11" />
      <SkeletonCard className="h-32" />
      <SkeletonCard className="h-18" />
    </div>
  )
}
