import { Trans, useLingui } from "@lingui/react/macro"
import type { UseQueryResult } from "@tanstack/react-query"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { Refusal } from "../../lib/api.ts"
import { formatMoment } from "../../lib/time.ts"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { List } from "../../ui/List.tsx"
import { Price } from "../../ui/Price.tsx"
import { Row } from "../../ui/Row.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** What KLS is valued at, and who says so. Without a price the row says that there is none. */
export function KlsPrice({ finance }: { finance: UseQueryResult<FinanceAnswer> }) {
  const { t } = useLingui()
  const source = finance.data?.price_source
  const unpriced = finance.error instanceof Refusal && finance.error.error === "price_unavailable"
  const sources: Record<string, string> = {
    ref_first: t`Set by the house`,
    operator: t`Set by the house`,
    otc: t`Average of OTC trades`,
  }
  return (
    <List>
      <Row
        icon={<CoinDisc asset="KLS" />}
        title="KLS"
        note={source ? (sources[source.source] ?? " ") : unpriced ? <Trans>No price now</Trans> : " "}
        value={
          source ? (
            <Price value={source.price} asset="USDT" still />
          ) : finance.isPending ? (
            <Skeleton className="ml-auto h-5 w-20" />
          ) : (
            "—"
          )
        }
        valueNote={source ? formatMoment(source.at) : " "}
        to="/node1"
        search={{ coin: "KLS" }}
      />
    </List>
  )
}
