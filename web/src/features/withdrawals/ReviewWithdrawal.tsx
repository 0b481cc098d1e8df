import { Trans, useLingui } from "@lingui/react/macro"
import { useEffect } from "react"
import { formatAmount } from "../../lib/money.ts"
import { Address } from "../../ui/Address.tsx"
import { ReviewSheet } from "../../ui/ReviewSheet.tsx"
import type { Review } from "../../ui/useReview.ts"
import { CostLines } from "./CostLines.tsx"
import { agreedOf, costsOf } from "./costs.ts"
import { PeopleFirst } from "./PeopleFirst.tsx"
import type { AddressShape, TermsAnswer } from "./queries.ts"
import type { Wish, WithdrawReceipt } from "./withdrawing.ts"

interface Props {
  review: Review<Wish, WithdrawReceipt>
  /** The newest: a price that moved shows here before it is confirmed. */
  terms: TermsAnswer
  addresses: readonly AddressShape[]
}

/** What will leave, for where, at what cost; then the password and a code that is right for this withdrawal alone. */
export function ReviewWithdrawal({ review, terms, addresses }: Props) {
  const { t } = useLingui()
  const { order } = review.state
  // What stands here at the press is what is agreed to.
  useEffect(() => {
    if (order === null) return
    review.payment.amend(agreedOf(costsOf(terms, order.shown.coin, order.amount), order.buy_fee))
  }, [review.payment, order, terms])
  return (
    <ReviewSheet
      review={review}
      title={t`Check the withdrawal`}
      note={
        <Trans>What was sent on the chain can't be called back. Compare the address with your wallet.</Trans>
      }
      sentence={({ amount, shown }) => (
        <Trans>
          Withdraw {formatAmount(amount, { least: 0 })} {shown.coin}
        </Trans>
      )}
      factor={({ coin_type, amount, wallet_id }) => ({
        scene: "withdraw",
        about: { coin_type, amount, wallet_id },
      })}
    >
      {({ amount, wallet_id, buy_fee, shown }) => {
        const costs = costsOf(terms, shown.coin, amount)
        const entry = addresses.find(({ id }) => id === wallet_id)
        return (
          <>
            <p className="mb-1 font-semibold break-words">
              <Trans>To {shown.label}</Trans>
            </p>
            <Address address={shown.address} network={shown.network} />
            <div className="mt-3">
              <CostLines coin={shown.coin} amount={amount} costs={costs} terms={terms} buysFee={buy_fee} />
            </div>
            {entry && <PeopleFirst entry={entry} value={costs.value} terms={terms} />}
          </>
        )
      }}
    </ReviewSheet>
  )
}
