import { formatDateTime } from "../lib/time.ts"
import { Address } from "../ui/Address.tsx"
import { Amount } from "../ui/Amount.tsx"
import { Notice } from "../ui/Notice.tsx"
import { StatusChip } from "../ui/StatusChip.tsx"
import { whyNot } from "./answering.ts"
import { Facts } from "./Facts.tsx"
import { ReviewForm } from "./ReviewForm.tsx"
import { Reviews } from "./Reviews.tsx"
import type { Withdrawal } from "./shapes.ts"
import { chainOf } from "./signing.ts"
import { useMe } from "./useMe.ts"
import { ageOf, detailOf, riskOf } from "./words.ts"

/** One withdrawal: what is asked, what speaks against it, who has said what, and the caller's own answer. */
export function WithdrawalView({ of, onDone }: { of: Withdrawal; onDone: () => void }) {
  return (
    <>
      <Facts
        of={[
          ["Account", of.account],
          ["Amount", <Amount key="amount" value={of.amount} asset={of.asset} />],
          ["Value", <Amount key="value" value={of.value} asset="USDT" />],
          ["Fee", <Amount key="fee" value={of.fee} asset="KLS" />],
          ["Status", <StatusChip key="status" status={of.status} />],
          ["Asked", `${formatDateTime(of.requested_at)}, ${ageOf(of.age_seconds)} ago`],
          ["Reviewers needed", of.needed],
          of.label === "" ? null : ["Called by the member", of.label],
          of.transaction === null
            ? null
            : [
                "Transaction",
                <span key="hash" className="block text-left font-mono text-small break-all">
                  {of.transaction}
                </span>,
              ],
        ]}
      />
      <h3 className="mt-5 mb-2 font-semibold">To this address</h3>
      <Address address={of.address} network={`chain ${chainOf(of.message)}`} />
      <h3 className="mt-5 font-semibold">Risks</h3>
      {of.risks.length === 0 && <p className="mt-1 text-small text-t3">None was found.</p>}
      {of.risks.map(({ reason, detail }) => (
        <Notice key={reason} tone={reason.startsWith("listed") ? "danger" : "warn"}>
          <strong className="font-medium">{riskOf(reason)}</strong>
          {detail !== "" && <span className="block text-t2">{detailOf(reason, detail)}</span>}
        </Notice>
      ))}
      <Reviews of={of} />
      <Answer of={of} onDone={onDone} />
    </>
  )
}

/** The form, or why there is none for who looks. */
function Answer({ of, onDone }: { of: Withdrawal; onDone: () => void }) {
  const me = useMe()
  if (of.status !== "pending_review" || me === undefined) return null
  const reason = whyNot(of, me)
  if (reason !== null) return <Notice>{reason}</Notice>
  return <ReviewForm of={of} me={me} onDone={onDone} />
}
