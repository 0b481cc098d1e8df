import { Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { formatPercent } from "../../lib/money.ts"
import { useOnline } from "../../lib/network.ts"
import { isOpen, type RunningScene } from "../../lib/rounds.ts"
import { formatLeft } from "../../lib/ticking.ts"
import { useServerNow } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { BetProblem, type Choice, StakeProblem } from "./BetProblem.tsx"
import { BetSentence } from "./BetSentence.tsx"
import { ConfirmBet } from "./ConfirmBet.tsx"
import { stakeProblem } from "./payout.ts"
import type { Bet } from "./useBet.ts"

interface Props {
  scene: RunningScene
  bet: Bet
  choice: Choice
}

/** The one button: a sentence that says the bet, then a second press that places it. */
export function BetBar({ scene, bet, choice }: Props) {
  const now = useServerNow()
  const online = useOnline()
  const closed = scene.betting_closed ? (
    <Trans>No bets at the moment</Trans>
  ) : (
    !isOpen(scene, now) && <Closed left={scene.closes_at - now} />
  )
  const away = !online && <Trans>No connection to the server</Trans>
  const { option, stake, asset } = choice
  const problem = stake === null ? null : stakeProblem(stake, limitsOf(scene, choice))
  const unfit = problem !== null && <StakeProblem problem={problem} scene={scene} choice={choice} />
  if (bet.order) {
    // What may have been taken already can be asked for at any time.
    const shut = !bet.unanswered && !bet.sending && (away || closed || unfit)
    return <ConfirmBet scene={scene} bet={bet} order={bet.order} {...(shut && { reason: shut })} />
  }
  const refused = bet.problem && <BetProblem problem={bet.problem} option={option} asset={asset} />
  if (closed && online) {
    return (
      <Bar scene={scene}>
        {refused}
        <Button disabled>{closed}</Button>
      </Bar>
    )
  }
  const prepare = () => {
    if (option === null || stake === null) return
    bet.prepare({ scene_id: scene.scene_id, round: scene.round, option, amount: stake, balance_type: asset })
  }
  const reason = away || unfit
  return (
    <Bar scene={scene}>
      {refused}
      <Button onPress={prepare} disabled={option === null || stake === null} {...(reason && { reason })}>
        <BetSentence option={option} stake={stake} asset={asset} />
      </Button>
    </Bar>
  )
}

function Closed({ left }: { left: number }) {
  return left > 0 ? (
    <Trans>Closed, next in {formatLeft(left)}</Trans>
  ) : (
    <Trans>Closed, the next round is coming</Trans>
  )
}

function Bar({ scene, children }: { scene: RunningScene; children: ReactNode }) {
  return (
    <>
      {children}
      <p className="mt-2 text-center text-small text-t3">
        <Trans>Return to player {formatPercent(scene.return_to_player)} · a stake can be lost</Trans>
      </p>
    </>
  )
}

function limitsOf(scene: RunningScene, { asset, room, available }: Choice) {
  return { minimum: scene.minimum[asset] ?? "0", maximum: scene.maximum[asset] ?? "0", room, available }
}
