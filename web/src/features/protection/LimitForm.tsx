import { Trans, useLingui } from "@lingui/react/macro"
import { useState } from "react"
import type { OwnLimit } from "../../lib/api.gen.ts"
import { formatAmount, inputForm, parseAmount } from "../../lib/money.ts"
import { useOnline } from "../../lib/network.ts"
import { formatDateTime } from "../../lib/time.ts"
import { AmountField } from "../../ui/AmountField.tsx"
import { Button } from "../../ui/Button.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { effectOf, type Kind } from "./limits.ts"
import { useSetLimit } from "./useLimits.ts"
import { useWords } from "./words.ts"

interface Props {
  kind: Kind
  limit: OwnLimit
  /** From when on a limit counts that is raised now. */
  raiseFrom: number
  onDone: () => void
}

const DECIMALS = 6

/** Change a limit or end it. What it does, and from when, stands there before the press. */
export function LimitForm({ kind, limit, raiseFrom, onDone }: Props) {
  const { t } = useLingui()
  const { counts } = useWords()[kind]
  const online = useOnline()
  const [text, setText] = useState(limit.amount === null ? "" : inputForm(limit.amount))
  const change = useSetLimit(onDone)
  const parsed = parseAmount(text, DECIMALS)
  const wanted = "value" in parsed ? parsed.value : null
  const effect = wanted === null ? "none" : effectOf(limit, wanted)
  const from = formatDateTime(raiseFrom)
  const away = online ? {} : { reason: t`No connection to the server` }
  const set = (amount: string | null) => change.mutate({ [kind]: amount })
  return (
    <>
      <p className="mb-4 text-small text-t2">{counts}</p>
      <AmountField
        label={t`Most for a day`}
        value={text}
        onChange={(typed) => {
          change.reset()
          setText(typed)
        }}
        asset="USDT"
        decimals={DECIMALS}
        hint={
          effect === "later" ? (
            <Trans>Counts from {from} on. Until then the present limit stays.</Trans>
          ) : effect === "now" ? (
            <Trans>Counts at once.</Trans>
          ) : null
        }
      />
      <div className="mt-4 flex flex-col gap-2">
        <Problem problem={change.error} />
        <Button busy={change.isPending} disabled={effect === "none"} onPress={() => set(wanted)} {...away}>
          {effect === "none" || wanted === null ? (
            <Trans>Set the limit</Trans>
          ) : (
            <Trans>Set it to {formatAmount(wanted, { least: 0 })} USDT</Trans>
          )}
        </Button>
        {limit.amount !== null && (limit.next_from === null || limit.next_amount !== null) && (
          <>
            <Button kind="quiet" disabled={change.isPending} onPress={() => set(null)} {...away}>
              <Trans>End the limit</Trans>
            </Button>
            <p className="text-center text-small text-t3">
              <Trans>Ended now, it still counts until {from}.</Trans>
            </p>
          </>
        )}
        {limit.next_from !== null && (
          <Button kind="quiet" disabled={change.isPending} onPress={() => set(limit.amount)} {...away}>
            <Trans>Keep the present limit</Trans>
          </Button>
        )}
      </div>
    </>
  )
}
