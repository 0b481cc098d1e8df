import { Trans, useLingui } from "@lingui/react/macro"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { dropZeros } from "../../lib/money.ts"
import { useSetting } from "../../lib/useSetting.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Change } from "../../ui/Change.tsx"
import { Failed } from "../../ui/Failed.tsx"
import { HideToggle } from "../../ui/HideToggle.tsx"
import { type Loadable, Stale } from "../../ui/Loaded.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { Sparkline } from "../../ui/Sparkline.tsx"
import { together } from "./together.ts"

interface Props {
  label: string
  finance: UseQueryResult<FinanceAnswer>
  /** Let the figure lead to what it is made of. */
  leads?: boolean
  /** At the end of its first line. */
  corner?: ReactNode
  /** Beside or below it, marked as old here: one mark is enough. */
  with: readonly Loadable<unknown>[]
  /** Draw the past thirty days beside it. */
  trend?: boolean
}

// A longer figure needs the whole line.
const LONGEST = 11

/** Everything in one figure, straight on the page, with its change. Nothing is shown that no answer gave. */
export function Total({ label, finance, leads, corner, with: others, trend }: Props) {
  const { t } = useLingui()
  const { data } = finance
  return (
    <section className="mt-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div className={corner === undefined ? "" : "w-full"}>
          <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-t3">
            <p className="flex items-center">
              {label}
              <HideToggle />
            </p>
            {corner}
          </div>
          <div className="min-h-11">
            {data && leads ? (
              <Pressable to="/node" className="inline-block">
                <span className="sr-only">{t`Assets`} </span>
                <Amount value={data.total} hero private />
              </Pressable>
            ) : data ? (
              <Amount value={data.total} hero private />
            ) : finance.isError ? (
              <span className="text-hero text-t3">—</span>
            ) : (
              <Skeleton className="h-11 w-52" />
            )}
          </div>
        </div>
        {trend && data && dropZeros(data.total).length <= LONGEST && <Month history={data.history} />}
      </div>
      <p className="mt-1 flex min-h-5 items-center gap-2 text-small text-t3">
        {data && (
          <>
            <Change value={data.change_24h} private />
            <Trans>in 24 hours, top-ups included</Trans>
          </>
        )}
      </p>
      <Stale query={together(finance, ...others)} />
      {finance.isError && !data && <Failed onRetry={() => void finance.refetch()} problem={finance.error} />}
    </section>
  )
}

/** The totals of the past thirty days as a line; the eye hides it too. */
function Month({ history }: Pick<FinanceAnswer, "history">) {
  const [hidden] = useSetting("hide")
  if (hidden) return null
  return (
    <div className="ms-auto flex flex-col items-end gap-2 max-narrow:hidden">
      <p className="text-small text-t3">
        <Trans>30 days</Trans>
      </p>
      <Sparkline values={history.map(({ total }) => total)} className="h-9 w-20" />
    </div>
  )
}
