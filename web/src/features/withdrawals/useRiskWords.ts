import { useLingui } from "@lingui/react/macro"
import { formatAmount } from "../../lib/money.ts"
import { formatDateTime, momentOf } from "../../lib/time.ts"
import type { RiskShape } from "./queries.ts"

/** Why people look at a withdrawal, in a sentence each. */
export function useRiskWords(): (risk: RiskShape) => string {
  const { t } = useLingui()
  return ({ reason, detail }) => {
    switch (reason) {
      case "new_address":
      case "young_address":
        return t`The address is new in your book until ${formatDateTime(momentOf(detail))}.`
      case "recent_security_change":
        return t`Your security settings changed lately.`
      case "over_auto_max":
        return t`It is worth more than ${formatAmount(detail, { least: 0 })} USDT.`
      case "over_daily_limit":
        return t`It is more than the limit of a day.`
      case "listed_address":
      case "listed_since":
        return detail === "" ? t`The address has to be checked.` : t`An address of yours has to be checked.`
      case "account_frozen":
        return t`Your account was frozen after you asked for it.`
      case "security_hold":
        return t`Your security settings changed after you asked for it.`
      case "house_address":
        return t`The address belongs to Kalos or to a coin's contract.`
      case "address_removed":
        return t`You deleted its address after you asked for it.`
      case "not_reviewed":
      case "restored":
        return t`It has to be looked at again.`
      case "kyc_free_limit":
        return t`It is more than goes without an identity check.`
    }
  }
}
