import { Trans, useLingui } from "@lingui/react/macro"
import { serverNow } from "../../lib/clock.ts"
import { compare, formatAmount } from "../../lib/money.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Notice } from "../../ui/Notice.tsx"
import type { AddressShape, TermsAnswer } from "./queries.ts"

interface Props {
  entry: AddressShape
  /** In USDT. */
  value: string
  terms: TermsAnswer
}

/** Whether people will look at it first, and why, as far as that is known before it is asked for. */
export function PeopleFirst({ entry, value, terms }: Props) {
  const { t } = useLingui()
  // An address counts as new for as long again as it had to wait.
  const oldAt = entry.usable_at + (entry.usable_at - entry.created_at)
  const reasons = [
    compare(value, terms.auto_max) > 0 &&
      t`It is worth more than ${formatAmount(terms.auto_max, { least: 0 })} USDT.`,
    serverNow() < oldAt && t`The address is new in your book until ${formatDateTime(oldAt)}.`,
  ].filter((reason) => reason !== false)
  if (reasons.length === 0)
    return (
      <p className="mt-3 text-small text-t3">
        <Trans>
          It is sent without anybody looking at it, unless your security settings changed lately or the
          address has to be checked.
        </Trans>
      </p>
    )
  return (
    <Notice tone="warn">
      <p>
        <Trans>People look at this withdrawal before it is sent. That can take a while.</Trans>
      </p>
      {reasons.map((reason) => (
        <p key={reason} className="mt-1">
          {reason}
        </p>
      ))}
    </Notice>
  )
}
