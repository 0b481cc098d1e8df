import { Trans } from "@lingui/react/macro"
import { formatAmount, formatPercent, isZero } from "../../lib/money.ts"
import { formatMoment } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Line } from "../../ui/Line.tsx"
import { type Costs, meansOf } from "./costs.ts"
import type { TermsAnswer } from "./queries.ts"
import type { Coin } from "./search.ts"

interface Props {
  coin: Coin
  amount: string | null
  costs: Costs | null
  terms: TermsAnswer
  buysFee: boolean
  /** Show what an amount may be, too. */
  limits?: boolean
}

/** What arrives, what it costs and at which price: under the form, and again on its review. */
export function CostLines({ coin, amount, costs, terms, buysFee, limits }: Props) {
  const means = meansOf(terms, coin)
  const rate = formatAmount(terms.price, { least: 0 })
  return (
    <>
      <Line name={<Trans>You receive</Trans>}>
        <Amount value={amount} asset={coin} least={0} />
      </Line>
      <Line name={means ? <Trans>Fee, {formatPercent(means.fee_rate)} in KLS</Trans> : <Trans>Fee</Trans>}>
        <Amount value={costs?.fee} asset="KLS" least={0} />
        {costs && (
          <span className="block text-small font-normal text-t3">
            <Trans>
              worth <Amount value={costs.feeValue} asset="USDT" least={0} />
            </Trans>
          </span>
        )}
      </Line>
      {limits && coin !== "KLS" && (
        <Line name={<Trans>Your KLS</Trans>}>
          <Amount value={meansOf(terms, "KLS")?.available} asset="KLS" least={0} private />
        </Line>
      )}
      {costs && buysFee && !isZero(costs.missing) && (
        <Line name={<Trans>Of it bought now</Trans>}>
          <Amount value={costs.missing} asset="KLS" least={0} />
          <span className="block text-small font-normal text-t3">
            <Trans>
              for <Amount value={costs.purchase} asset="USDT" least={0} />
            </Trans>
          </span>
          <span className="block text-small font-normal text-t3">
            <Trans>stays bought if the withdrawal comes back</Trans>
          </span>
        </Line>
      )}
      {limits && (
        <>
          <Line name={<Trans>At least</Trans>}>
            <Amount value={means?.minimum} asset={coin} least={0} />
          </Line>
          <Line name={<Trans>Left today</Trans>}>
            <Amount value={means?.daily_left} asset="USDT" least={0} />
          </Line>
        </>
      )}
      <p className="mt-2 text-small text-t3">
        <Trans>
          1 KLS = {rate} USDT, the price of {formatMoment(terms.price_at)}
        </Trans>
      </p>
    </>
  )
}
