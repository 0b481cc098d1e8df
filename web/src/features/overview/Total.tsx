import { Trans } from "@lingui/react/macro"
import type { UseQueryResult } from "@tanstack/react-query"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { formatTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Change } from "../../ui/Change.tsx"
import { Failed } from "../../ui/Failed.tsx"
import { HideToggle } from "../../ui/HideToggle.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

interface Props {
  label: string
  finance: UseQueryResult<FinanceAnswer>
}

/** Everything in one figure, straight on the page, with its change. Nothing is shown that no answer gave. */
export function Total({ label, finance }: Props) {
  const { data } = finance
  return (
    <section className="mt-4">
      <p className="flex items-center text-small text-t3">
        {label}
        <HideToggle />
      </p>
      <div className="min-h-11">
        {data ? (
          <Amount value={data.total} hero private />
        ) : finance.isError ? (
          <span className="text-hero text-t3">—</span>
        ) : (
          <Skeleton className="h-11 w-52" />
        )}
      </div>
      <p className="mt-1 flex min-h-5 items-center gap-2 text-small text-t3">
        {data && (
          <>
            <Change value={data.change_24h} private />
            <Trans>in 24 hours, top-ups included</Trans>
          </>
        )}
      </p>
      {finance.isError && data && (
        <p className="text-small text-warn">
          <Trans>As of {formatTime(finance.dataUpdatedAt)}</Trans>
        </p>
      )}
      {finance.isError && !data && <Failed onRetry={() => void finance.refetch()} problem={finance.error} />}
    </section>
  )
}
