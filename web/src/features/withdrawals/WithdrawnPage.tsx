import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { formatAmount } from "../../lib/money.ts"
import { rowsOf } from "../../lib/queries.ts"
import { formatMoment } from "../../lib/time.ts"
import { Line } from "../../ui/Line.tsx"
import { ReceiptPage } from "../../ui/ReceiptPage.tsx"
import { type Course, Progress } from "./Progress.tsx"
import { isMoving, withdrawalsQuery } from "./queries.ts"
import type { Coin } from "./search.ts"
import { CALM_MS, MOVING_MS } from "./WithdrawalList.tsx"
import { Transaction, Whereto } from "./WithdrawalSheet.tsx"
import type { WithdrawReceipt } from "./withdrawing.ts"

/** The receipt of a withdrawal, which follows it until it has arrived or was given back. */
export function WithdrawnPage({ receipt }: { receipt: WithdrawReceipt }) {
  const { t } = useLingui()
  const coin = receipt.asset as Coin
  const { data } = useInfiniteQuery({
    ...withdrawalsQuery(coin),
    refetchInterval: ({ state }) => {
      const known = rowsOf(state.data).find(({ id }) => id === receipt.id)
      return known === undefined || isMoving(known) ? MOVING_MS : CALM_MS
    },
  })
  const row = rowsOf(data).find(({ id }) => id === receipt.id)
  return (
    <ReceiptPage
      receipt={row ? { ...receipt, status: row.status } : receipt}
      title={t`Withdrawal of ${coin}`}
      back="/node4"
      received={<Trans>You receive</Trans>}
      next={{ label: <Trans>My withdrawals</Trans>, to: "/node4", search: { tab: "records", coin } }}
    >
      <div className="mb-4">
        <Progress row={row ?? asAsked(receipt)} />
      </div>
      <Whereto row={receipt} />
      <Transaction hash={row?.transaction ?? null} />
      <div className="mt-3">
        <Line name={<Trans>Price</Trans>}>
          <Trans>
            1 KLS = {formatAmount(receipt.price, { least: 0 })} USDT ({formatMoment(receipt.price_at)})
          </Trans>
        </Line>
      </div>
    </ReceiptPage>
  )
}

/** What is known of its course before the list has it. */
function asAsked({ status, risks, needed, at }: WithdrawReceipt): Course {
  return {
    status,
    risks,
    needed,
    reason: null,
    confirmations: 0,
    required: 0,
    requested_at: at,
    changed_at: at,
  }
}
