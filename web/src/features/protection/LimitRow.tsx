import { Trans, useLingui } from "@lingui/react/macro"
import type { LimitsAnswer } from "../../lib/api.gen.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Bar } from "../../ui/Bar.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { LimitForm } from "./LimitForm.tsx"
import { type Kind, usedShare } from "./limits.ts"
import { useWords } from "./words.ts"

interface Props {
  kind: Kind
  limits: LimitsAnswer
}

/** One limit: what it is, what of it is used today, what waits; a press changes it. */
export function LimitRow({ kind, limits }: Props) {
  const { t } = useLingui()
  const { title } = useWords()[kind]
  const sheet = useSheet(`limit ${kind}`)
  const { amount, used, next_amount: next, next_from: from } = limits[kind]
  return (
    <div className="py-1">
      <Row
        title={title}
        note={
          <Trans>
            Today <Amount value={used} asset="USDT" private least={0} />
          </Trans>
        }
        value={
          amount === null ? (
            <span className="text-t3">{t({ message: "No limit", context: "of a day" })}</span>
          ) : (
            <Amount value={amount} asset="USDT" private least={0} />
          )
        }
        trailing="next"
        onPress={sheet.show}
      />
      {amount !== null && (
        <div className="-mt-2 pb-2">
          <Bar
            parts={[{ label: t({ message: "Used", context: "of a limit" }), share: usedShare(used, amount) }]}
          />
        </div>
      )}
      {from !== null && (
        <p className="pb-2 text-small text-warn">
          {next === null ? (
            <Trans>No limit from {formatDateTime(from)} on</Trans>
          ) : (
            <Trans>
              <Amount value={next} asset="USDT" private least={0} /> from {formatDateTime(from)} on
            </Trans>
          )}
        </p>
      )}
      <Sheet sheet={sheet} title={title}>
        <LimitForm kind={kind} limit={limits[kind]} raiseFrom={limits.raise_from} onDone={sheet.hide} />
      </Sheet>
    </div>
  )
}
