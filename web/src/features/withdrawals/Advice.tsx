import { Trans } from "@lingui/react/macro"
import { Refusal } from "../../lib/api.ts"
import { formatAmount } from "../../lib/money.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Notice } from "../../ui/Notice.tsx"

/** What to do about a refusal of a withdrawal, beside the sentence that the server says; nothing where that says it all. */
export function Advice({ problem }: { problem: Error | null }) {
  const text = problem instanceof Refusal ? <Way problem={problem} /> : null
  return text && <div className="mb-3">{text}</div>
}

function Way({ problem }: { problem: Refusal }) {
  const figure = (amount: string | undefined) => formatAmount(amount ?? "0", { least: 0 })
  const short = problem.dataOf("insufficient_balance")
  const limit = problem.dataOf("limit_reached")
  const until = (problem.dataOf("security_hold") ?? problem.dataOf("address_waiting"))?.until
  if (short?.asset === "KLS")
    return (
      <Notice>
        <Trans>KLS is missing for the fee: let it be bought in the same step, with the switch above.</Trans>
      </Notice>
    )
  if (limit)
    return (
      <Notice>
        {limit.asset === "KLS" ? (
          <Trans>
            The house has only {figure(limit.room.KLS)} KLS left to sell. Use KLS of your own for the fee.
          </Trans>
        ) : (
          <Trans>
            Today {figure(limit.room.USDT)} USDT of value are left to withdraw. The day ends at midnight,
            UTC+8.
          </Trans>
        )}
      </Notice>
    )
  if (until !== undefined)
    return (
      <Notice>
        <Trans>Try again after {formatDateTime(until)}. Nothing was moved.</Trans>
      </Notice>
    )
  if (problem.error === "house_address")
    return (
      <Notice>
        <Trans>Add an address of your own wallet to your book, and choose that one. Nothing was moved.</Trans>
      </Notice>
    )
  if (problem.error === "not_found")
    return (
      <Notice>
        <Trans>The address doesn't stand in your book any more. Choose another one.</Trans>
      </Notice>
    )
  return null
}
