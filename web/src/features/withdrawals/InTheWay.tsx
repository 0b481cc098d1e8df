import { Trans, useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Countdown } from "../../ui/Countdown.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { RuleList } from "../../ui/RuleList.tsx"
import type { TermsAnswer } from "./queries.ts"

/** Why nothing can be withdrawn at all at the moment. */
export type Way = "stopped" | "held" | "no_password" | "no_factor"

export function wayOf(
  { is_stopped, held_until }: Pick<TermsAnswer, "is_stopped" | "held_until">,
  info: Pick<InfoAnswer, "out_password_set" | "google_bound" | "email">,
  now: number,
): Way | null {
  if (!info.out_password_set) return "no_password"
  if (!hasFactor(info)) return "no_factor"
  if (is_stopped) return "stopped"
  return held_until !== null && now < held_until ? "held" : null
}

const hasFactor = ({ google_bound, email }: Pick<InfoAnswer, "google_bound" | "email">) =>
  google_bound || email !== ""

interface Props {
  way: Way | null
  info: InfoAnswer
  terms: TermsAnswer
}

/** What stands in the way of any withdrawal, above the form, and what to do about it. */
export function InTheWay({ way, info, terms: { held_until } }: Props) {
  const { t } = useLingui()
  if (way === null) return null
  if (way === "stopped")
    return (
      <Notice tone="warn">
        <Trans>
          Withdrawals and transfers are paused for a check. Your balances are untouched; everything else goes
          on.
        </Trans>
      </Notice>
    )
  if (way === "held")
    return (
      <Notice tone="warn">
        <p>
          <Trans>
            For your security withdrawals are on hold until {formatDateTime(held_until ?? 0)}, because your
            security settings changed. Still to wait: <Countdown until={held_until ?? 0} />
          </Trans>
        </p>
        <div className="mt-3">
          <Button small kind="quiet" to="/me1" search={{ view: "log" }}>
            <Trans>What was changed</Trans>
          </Button>
        </div>
      </Notice>
    )
  const [label, view] =
    way === "no_password" ? [t`Set a withdrawal password`, "withdraw"] : [t`Bind an e-mail`, "email"]
  return (
    <Notice tone="warn">
      <p>
        <Trans>A withdrawal takes two things that only you have:</Trans>
      </p>
      <RuleList
        rules={[
          { text: t`A withdrawal password`, met: info.out_password_set },
          { text: t`A second factor: an e-mail or an authenticator`, met: hasFactor(info) },
        ]}
      />
      <div className="mt-3">
        <Button small to="/me1" search={{ view }}>
          {label}
        </Button>
      </div>
    </Notice>
  )
}
