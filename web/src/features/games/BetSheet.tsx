import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { BetRow, RoundProof } from "../../lib/api.gen.ts"
import { Refusal } from "../../lib/api.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Line } from "../../ui/Line.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { StatusChip } from "../../ui/StatusChip.tsx"
import { useBetAgain } from "./again.ts"
import { BetProof } from "./BetProof.tsx"
import { gain } from "./payout.ts"
import { roundQuery } from "./queries.ts"
import { RoundFacts } from "./RoundFacts.tsx"
import { VoidNote } from "./VoidNote.tsx"
import { useWords } from "./words.ts"

const WAITING = 2_000

/** One bet in full: what came of it, all of it computed anew on this device, and the inputs of that. */
export function BetSheet({ bet }: { bet: BetRow }) {
  const { t } = useLingui()
  const words = useWords()
  const again = useBetAgain()
  const sheet = useSheet("bet")
  const waiting = bet.status === "awaiting_draw" || bet.proof === null
  const round = useQuery({
    ...roundQuery(bet.round),
    enabled: sheet.shown,
    refetchInterval: waiting ? WAITING : false,
  })
  return (
    <Sheet
      sheet={sheet}
      title={t`Bet on ${words.optionInSentence(bet.option)}`}
      {...(bet.status !== "awaiting_draw" && {
        footer: (
          <Button kind="quiet" icon="refresh" onPress={() => again(bet)}>
            <Trans>Bet again</Trans>
          </Button>
        ),
      })}
    >
      <div className="flex items-center justify-between gap-3">
        <Amount value={bet.amount} asset={bet.balance_type} display private />
        <StatusChip status={bet.status} />
      </div>
      <div className="mt-3">
        <Line name={<Trans>Came back</Trans>}>
          <Amount value={bet.prize} asset={bet.balance_type} private />
        </Line>
        {bet.status === "won" && bet.prize !== null && (
          <Line name={<Trans>Gain</Trans>}>
            <Amount value={gain(bet.prize, bet.amount)} asset={bet.balance_type} sign tone="gold" private />
          </Line>
        )}
        <Line name={<Trans>Multiple</Trans>}>
          <Amount value={bet.multiple} least={0} />×
        </Line>
        <Line name={<Trans>Placed</Trans>}>{formatDateTime(bet.time)}</Line>
      </div>
      {bet.status === "void" && round.data && <VoidReason bet={bet} round={round.data} />}
      {round.data ? (
        <>
          <BetProof bet={bet} round={round.data} />
          <h3 className="mt-5 mb-3 border-t border-line pt-4 font-semibold">
            <Trans>Round and block</Trans>
          </h3>
          <RoundFacts round={round.data} />
        </>
      ) : (
        <RoundMissing problem={round.error} />
      )}
    </Sheet>
  )
}

/** Why a bet's stake went back: its whole round is void, or this one bet came too late. */
function VoidReason({ bet, round }: { bet: BetRow; round: RoundProof }) {
  if (round.void_reason !== null) return <VoidNote round={{ ...bet, void_reason: round.void_reason }} />
  return (
    <p className="mt-1 text-small text-t2">
      <Trans>The bet came when its block may have been known already. Its stake went back.</Trans>
    </p>
  )
}

function RoundMissing({ problem }: { problem: Error | null }) {
  if (problem === null) return <Skeleton className="mt-4 h-48 w-full rounded-card" />
  const drawing = problem instanceof Refusal && problem.error === "block_processing"
  return (
    <p className={`mt-4 text-small ${drawing ? "text-t2" : "text-danger"}`}>
      {drawing ? (
        <Trans>The block is being processed. The result comes within seconds.</Trans>
      ) : (
        problem.message
      )}
    </p>
  )
}
