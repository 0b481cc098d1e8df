import { Trans } from "@lingui/react/macro"
import { type ReactNode, useState } from "react"
import { formatAmount, formatCount, formatPercent, minus } from "../../lib/money.ts"
import { isOpen, type RunningScene } from "../../lib/rounds.ts"
import { formatLeft } from "../../lib/ticking.ts"
import { useServerNow } from "../../lib/time.ts"
import { AcceptNotice } from "../../ui/AcceptNotice.tsx"
import { Button } from "../../ui/Button.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { useDouble } from "../../ui/useDouble.ts"
import { BetProblem } from "./BetProblem.tsx"
import { payout } from "./payout.ts"
import type { Bet, Order } from "./useBet.ts"
import { useWords } from "./words.ts"

interface Props {
  scene: RunningScene
  bet: Bet
  order: Order
  /** Why it can't be confirmed at this moment. */
  reason?: ReactNode
}

/** The second press, with what is at risk said before it: the stake, the source of prizes, the house's part. */
export function ConfirmBet({ scene, bet, order, reason }: Props) {
  const words = useWords()
  const now = useServerNow()
  const isDouble = useDouble()
  const [agreed, setAgreed] = useState(false)
  const { notice } = bet
  const unread = notice !== null && !agreed ? <Trans>Read and accept the notice first</Trans> : undefined
  const hindrance = reason ?? unread
  const { amount, balance_type: asset, option } = order
  const stake = formatAmount(amount, { least: 0 })
  const multiple = scene.options.find((known) => known.option === option)?.multiple ?? "0"
  const back = formatAmount(payout(amount, multiple, asset))
  const kept = formatPercent(minus("1", scene.return_to_player))
  const room = formatAmount(scene.room[option]?.[asset] ?? "0", { least: 0, most: 2 })
  return (
    <div className="animate-enter rounded-card bg-s1 p-4">
      <p className="text-small text-t2">
        {bet.unanswered ? (
          <Trans>
            No answer came, so nobody knows yet whether the bet was taken. Ask again: it is the same request
            and can't be staked twice.
          </Trans>
        ) : (
          <Trans>
            You can lose the whole {stake} {asset}. A win pays back {back} {asset} from the house's bankroll,
            which has reserved it; at most {room} {asset} more fit on this side. On average the house keeps{" "}
            {kept}.
          </Trans>
        )}
      </p>
      {bet.problem && !bet.unanswered && <BetProblem problem={bet.problem} option={option} asset={asset} />}
      {notice !== null && (
        <>
          <AcceptNotice asked={notice} agreed={agreed} onAgree={setAgreed} />
          <p className="mt-3 text-small text-t2">
            <Trans>
              This bet is for the round of block {formatCount(scene.height)}. If that closes while you read,
              it is for the next one.
            </Trans>
          </p>
        </>
      )}
      <div className="mt-3">
        <Button
          busy={bet.sending}
          onPress={(press) => isDouble(press) || bet.send(notice)}
          {...(hindrance !== undefined && { reason: hindrance })}
        >
          {bet.unanswered ? (
            <Trans>Ask again</Trans>
          ) : (
            <Trans>
              Confirm {stake} {asset} on {words.optionInSentence(option)}
            </Trans>
          )}
        </Button>
      </div>
      <div className="-mb-2 flex min-h-11 items-center justify-between">
        <Pressable
          onPress={bet.close}
          disabled={bet.sending}
          className="min-h-11 pr-4 text-small text-brand-text"
        >
          {bet.unanswered ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}
        </Pressable>
        <span className="text-small text-t3">
          {isOpen(scene, now) && <Trans>Closes in {formatLeft(scene.closes_at - now)}</Trans>}
        </span>
      </div>
    </div>
  )
}
