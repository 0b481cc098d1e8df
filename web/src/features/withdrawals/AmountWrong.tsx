import { Trans } from "@lingui/react/macro"
import { formatAmount } from "../../lib/money.ts"
import { Amount } from "../../ui/Amount.tsx"
import { type AmountProblem, type Costs, type CostTerms, meansOf } from "./costs.ts"
import type { Coin } from "./search.ts"

interface Props {
  problem: AmountProblem
  coin: Coin
  terms: CostTerms
  costs: Costs | null
}

/** What is wrong with the amount, with the figure that it would have to keep. */
export function AmountWrong({ problem, coin, terms, costs }: Props) {
  const means = meansOf(terms, coin)
  const figure = (amount: string | undefined) => formatAmount(amount ?? "0", { least: 0 })
  switch (problem) {
    case "below_minimum":
      return (
        <Trans>
          The smallest withdrawal is {figure(means?.minimum)} {coin}.
        </Trans>
      )
    case "over_balance":
      return (
        <Trans>
          You have <Amount value={means?.available} asset={coin} private /> available.
        </Trans>
      )
    case "over_room":
      return <Trans>Today {figure(means?.daily_left)} USDT of value are left to withdraw.</Trans>
    case "fee_short":
      return (
        <Trans>For the fee {figure(costs?.missing)} KLS are missing. Buy them below, or take less.</Trans>
      )
    case "purchase_short":
      return (
        <Trans>
          The fee takes {figure(costs?.purchase)} USDT as well. You have{" "}
          <Amount value={meansOf(terms, "USDT")?.available} asset="USDT" private /> available.
        </Trans>
      )
  }
}
