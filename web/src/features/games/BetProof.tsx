import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useEffect, useState } from "react"
import type { BetRow, RoundProof } from "../../lib/api.gen.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckList } from "./CheckList.tsx"
import { type Check, checkBet } from "./fairness.ts"
import { Hex } from "./Hex.tsx"

interface Props {
  bet: BetRow
  round: RoundProof
}

/** A button that computes the bet anew in the browser, and the bet's leaf with its way to the round's root. */
export function BetProof({ bet, round }: Props) {
  const { t } = useLingui()
  const [asked, setAsked] = useState(false)
  const [checks, setChecks] = useState<Check[] | null>(null)
  // What is known of a bet grows while its sheet is open.
  useEffect(() => {
    if (!asked) return
    let left = false
    void checkBet(bet, round).then((found) => left || setChecks(found))
    return () => {
      left = true
    }
  }, [asked, bet, round])
  return (
    <section className="mt-4">
      {checks === null ? (
        <Button kind="quiet" small icon="check" onPress={() => setAsked(true)}>
          <Trans>Check it yourself</Trans>
        </Button>
      ) : (
        <Verdict checks={checks} />
      )}
      <div className="mt-4">
        <Hex name={t`Bet`} value={bet.bet_id} />
        <Hex name={t`Leaf of this bet`} value={bet.leaf} />
        <p className="mt-1.5 text-small text-t3">
          {bet.proof === null ? (
            <Trans>The inclusion proof comes when the round has closed.</Trans>
          ) : bet.proof.length === 0 ? (
            <Trans>The only bet of its round: its leaf alone makes the root.</Trans>
          ) : (
            <Plural
              value={bet.proof.length}
              one="Inclusion proof of # step"
              other="Inclusion proof of # steps"
            />
          )}
        </p>
      </div>
    </section>
  )
}

function Verdict({ checks }: { checks: readonly Check[] }) {
  const failed = checks.some(({ holds }) => holds === false)
  const open = checks.some(({ holds }) => holds === null)
  return (
    <div role="status" className="animate-enter rounded-control bg-s2 p-4">
      <p className={`font-semibold ${failed ? "text-danger" : open ? "text-t1" : "text-up"}`}>
        {failed ? (
          <Trans>Something does not agree. Please keep this page.</Trans>
        ) : open ? (
          <Trans>What is known so far agrees.</Trans>
        ) : (
          <Trans>Everything agrees, computed on this device.</Trans>
        )}
      </p>
      <CheckList checks={checks} />
    </div>
  )
}
