import { Trans, useLingui } from "@lingui/react/macro"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import type { ChainShape, InfoAnswer } from "../../lib/api.gen.ts"
import { takeChosen } from "../../lib/choosing.ts"
import { formatAmount, isZero, parseAmount } from "../../lib/money.ts"
import { askAnew } from "../../lib/queries.ts"
import { scaleOf } from "../../lib/scales.ts"
import { useServerNow } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { AmountField } from "../../ui/AmountField.tsx"
import { Card } from "../../ui/Card.tsx"
import { ReviewButton } from "../../ui/ReviewButton.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { useReview } from "../../ui/useReview.ts"
import { AddressChoice } from "./AddressChoice.tsx"
import { Advice } from "./Advice.tsx"
import { AmountWrong } from "./AmountWrong.tsx"
import { CostLines } from "./CostLines.tsx"
import { agreedOf, amountProblem, costsOf, meansOf, mostOf } from "./costs.ts"
import { draftOf, keptDraft } from "./draft.ts"
import { InTheWay, wayOf } from "./InTheWay.tsx"
import { PeopleFirst } from "./PeopleFirst.tsx"
import { COIN_TYPES, type TermsAnswer } from "./queries.ts"
import { ReviewWithdrawal } from "./ReviewWithdrawal.tsx"
import type { Coin } from "./search.ts"
import { withdrawing } from "./withdrawing.ts"

interface Props {
  coin: Coin
  terms: TermsAnswer
  info: InfoAnswer
  chains: readonly ChainShape[]
  wallet: string | undefined
  onWallet: (id: string) => void
  /** The amount as it was typed on this page; undefined where nothing was yet. */
  typed: string | undefined
  onType: (text: string) => void
}

/** The form of one coin. What it sends is made from what stands in it at the press, and reviewed as such. */
export function FormFields({ coin, terms, info, chains, wallet, onWallet, typed, onType }: Props) {
  const { t } = useLingui()
  const client = useQueryClient()
  const router = useRouter()
  const now = useServerNow(1000)
  const [draft] = useState(() => draftOf(router.state.location.state.draft, coin))
  const text = typed ?? draft
  const [buysFee, setBuysFee] = useState(false)
  const review = useReview(withdrawing)
  const { problem } = review.state
  useEffect(() => {
    const chosen = takeChosen()
    if (chosen !== undefined) onWallet(chosen)
  })
  // A refusal knows better than what stands here.
  useEffect(() => {
    if (problem) askAnew(client, "/api/withdraw/index", "/api/user/info", "/api/user/walletList")
  }, [problem, client])

  const { addresses } = terms
  const entry =
    addresses.find(({ id }) => id === wallet) ?? (addresses.length === 1 ? addresses[0] : undefined)
  const chain = chains.find(({ chain_id }) => chain_id === entry?.chain)
  const network = chain ? `${chain.name} · ${chain.protocol}` : `${entry?.chain}`
  const parsed = parseAmount(text, scaleOf(coin))
  const amount = "value" in parsed && !isZero(parsed.value) ? parsed.value : null
  const costs = amount === null ? null : costsOf(terms, coin, amount)
  const wrong = amount === null ? null : amountProblem(terms, coin, amount, buysFee)
  const means = meansOf(terms, coin)
  const way = wayOf(terms, info, now)
  const waits = entry !== undefined && now < entry.usable_at
  const isReady = entry !== undefined && !waits && wrong === null && way === null
  const buys = buysFee && costs !== null && !isZero(costs.missing)
  const missing = waits
    ? t`This address can't be used yet`
    : way !== null
      ? t`First see to what stands at the top`
      : entry === undefined
        ? t`Choose an address`
        : amount === null
          ? t`Type an amount`
          : undefined
  const body =
    isReady && amount !== null && costs !== null
      ? {
          coin_type: COIN_TYPES[coin],
          amount,
          wallet_id: entry.id,
          buy_fee: buys,
          ...agreedOf(costs, buys),
          shown: { coin, address: entry.address, label: entry.label, network },
        }
      : null
  return (
    <>
      <InTheWay way={way} info={info} terms={terms} />
      <AddressChoice
        entry={entry}
        network={network}
        none={addresses.length === 0}
        draft={keptDraft(coin, text)}
      />
      <Card>
        <AmountField
          label={t`Amount`}
          value={text}
          onChange={(next) => {
            // What was refused was another amount.
            review.payment.cancel()
            onType(next)
          }}
          asset={coin}
          decimals={scaleOf(coin)}
          max={means && mostOf(terms, coin, buysFee)}
          hint={
            <Trans>
              Available <Amount value={means?.available} asset={coin} private />
            </Trans>
          }
          {...(wrong !== null && {
            problem: <AmountWrong problem={wrong} coin={coin} terms={terms} costs={costs} />,
          })}
        />
        {costs !== null && !isZero(costs.missing) && (
          <Switch
            label={t`Buy the exact KLS for this fee`}
            note={
              <Trans>
                {formatAmount(costs.missing, { least: 0 })} KLS for{" "}
                {formatAmount(costs.purchase, { least: 0 })} USDT, at{" "}
                {formatAmount(terms.selling_price, { least: 0 })} each
              </Trans>
            }
            checked={buysFee}
            onChange={setBuysFee}
          />
        )}
        <div className="mt-2" aria-live="polite">
          <CostLines coin={coin} amount={amount} costs={costs} terms={terms} limits buysFee={buysFee} />
        </div>
      </Card>
      {entry && costs && wrong === null && <PeopleFirst entry={entry} value={costs.value} terms={terms} />}
      <div className="mt-auto pt-5">
        <Advice problem={review.sheet.shown ? null : problem} />
        <ReviewButton review={review} body={body} {...(missing !== undefined && { reason: missing })}>
          <Trans>Review</Trans>
        </ReviewButton>
      </div>
      <ReviewWithdrawal review={review} terms={terms} addresses={addresses} />
    </>
  )
}
