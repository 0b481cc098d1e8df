import { Plural, Trans, useLingui } from "@lingui/react/macro"
import type { RoundProof } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { formatLocal, formatUtc } from "../../lib/time.ts"
import { HashRibbon } from "../../ui/HashRibbon.tsx"
import { Line } from "../../ui/Line.tsx"
import { OutsideButton } from "../../ui/OutsideButton.tsx"
import { Hex } from "./Hex.tsx"

/** What a round's result follows from: its block, when that was fixed, and the root over its bets. */
export function RoundFacts({ round }: { round: RoundProof }) {
  const { t } = useLingui()
  const { block, merkle_root } = round
  return (
    <>
      <div className="mt-1">
        <HashRibbon hash={block?.hash} />
      </div>
      <div className="mt-3">
        <Line name={<Trans>Block</Trans>}>
          <span className="font-mono">{formatCount(round.height)}</span>
        </Line>
        {block && (
          <Line name={<Trans>Block time</Trans>}>
            {formatLocal(block.time)}
            <span className="block text-small font-normal text-t3">{formatUtc(block.time)}</span>
          </Line>
        )}
        <Line name={<Trans>Block fixed</Trans>}>{formatLocal(round.published_at)}</Line>
        <Line name={<Trans context="when">Closed</Trans>}>{formatLocal(round.closes_at)}</Line>
        {round.bet_count !== null && <Line name={<Trans>Bets</Trans>}>{formatCount(round.bet_count)}</Line>}
        {round.provisional && block && (
          <Line name={<Trans>Result</Trans>}>
            <Trans>
              provisional until <Plural value={round.required} one="# confirmation" other="# confirmations" />
            </Trans>
          </Line>
        )}
      </div>
      <Hex name={t`Round`} value={round.round} />
      {block && <Hex name={t`Hash`} value={block.hash} />}
      {merkle_root !== null && <Hex name={t`Merkle root of all bets`} value={merkle_root} />}
      {round.explorer !== null && (
        <div className="mt-3">
          <OutsideButton href={round.explorer}>
            <Trans>Open the block in the explorer</Trans>
          </OutsideButton>
        </div>
      )}
    </>
  )
}
