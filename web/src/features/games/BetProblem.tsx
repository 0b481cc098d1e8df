import { Trans } from "@lingui/react/macro"
import { Refusal } from "../../lib/api.ts"
import type { RefusalData } from "../../lib/calls.ts"
import { compare, formatAmount } from "../../lib/money.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { TextLink } from "../../ui/TextLink.tsx"
import type { stakeProblem } from "./payout.ts"
import { useWords } from "./words.ts"

/** What is chosen so far, with what limits it. */
export interface Choice {
  option: string | null
  asset: string
  stake: string | null
  available: string | undefined
  /** The largest stake that the house still covers on the chosen option. */
  room: string | undefined
}

interface StakeProps {
  problem: NonNullable<ReturnType<typeof stakeProblem>>
  scene: RunningScene
  choice: Choice
}

/** Why this stake can't be placed, said before the press. */
export function StakeProblem({ problem, scene, choice }: StakeProps) {
  const { asset, room } = choice
  const amount = (value: string | undefined) =>
    `${formatAmount(value ?? "0", { least: 0, most: 2 })} ${asset}`
  if (problem === "below_minimum") return <Trans>The smallest bet is {amount(scene.minimum[asset])}.</Trans>
  if (problem === "over_balance") {
    return (
      <Trans>
        Your balance is too small. <TextLink to="/node3">Top up</TextLink>
      </Trans>
    )
  }
  if (problem === "above_maximum" && compare(scene.maximum[asset] ?? "0", "0") === 0)
    return <Trans>In this round the house takes no bets in {asset}.</Trans>
  if (problem === "above_maximum")
    return <Trans>One member can stake at most {amount(scene.maximum[asset])}.</Trans>
  return <Trans>The house covers at most {amount(room)} more on this side of the round.</Trans>
}

interface RefusedProps {
  problem: Error
  option: string | null
  asset: string
}

/** Why the server refused: nothing was staked. Over a limit it says how much still fits, and where one's own is set. */
export function BetProblem({ problem, option, asset }: RefusedProps) {
  const words = useWords()
  const refusal = problem instanceof Refusal ? problem : null
  const free = refusal && roomIn(refusal, option)
  const own = refusal?.dataOf("player_limit")
  return (
    <p role="alert" className="mb-2 text-center text-small text-danger">
      {/* Its own sentence speaks of now, and is read in the round after the one that was closed. */}
      {refusal?.error === "round_closed" ? (
        <Trans>The round had closed before your bet came. Nothing was staked.</Trans>
      ) : (
        problem.message
      )}
      {free !== null && option !== null && (
        <>
          {". "}
          <Trans>
            Up to {formatAmount(free, { least: 0, most: 2 })} {asset} still fit on{" "}
            {words.optionInSentence(option)}.
          </Trans>
        </>
      )}
      {own && (
        <>
          {". "}
          <OwnLimit limit={own.limit} left={formatAmount(own.left, { least: 0, most: 2 })} />
        </>
      )}
      {(own || refusal?.error === "self_excluded") && (
        <>
          {" "}
          <TextLink to="/me1" search={{ view: "limits" }}>
            <Trans>Play limits</Trans>
          </TextLink>
        </>
      )}
    </p>
  )
}

/** What the member's own limit still leaves today. */
function OwnLimit({ limit, left }: { limit: RefusalData<"player_limit">["limit"]; left: string }) {
  if (limit === "stake") return <Trans>{left} USDT are left to stake today.</Trans>
  if (limit === "loss") return <Trans>Your limit of losses leaves {left} USDT to stake.</Trans>
  return <Trans>Above your top-up limit only {left} USDT can be staked today.</Trans>
}

function roomIn(refusal: Refusal, option: string | null): string | null {
  return (option !== null && refusal.dataOf("limit_reached")?.room[option]) || null
}
