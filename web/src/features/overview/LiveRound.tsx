import { Trans, useLingui } from "@lingui/react/macro"
import { memo, useDeferredValue } from "react"
import type { ResultRow, SceneAnswer } from "../../lib/api.gen.ts"
import { decidingDigit } from "../../lib/hashes.ts"
import { formatCount } from "../../lib/money.ts"
import { isOpen, isRunning, type RunningScene, useHall, useScene } from "../../lib/rounds.ts"
import { useServerNow } from "../../lib/time.ts"
import { Beads } from "../../ui/Beads.tsx"
import { Card } from "../../ui/Card.tsx"
import { Countdown } from "../../ui/Countdown.tsx"
import { Failed } from "../../ui/Failed.tsx"
import { HashRibbon } from "../../ui/HashRibbon.tsx"
import { News } from "../../ui/News.tsx"
import { Pressable } from "../../ui/Pressable.tsx"

const BEADS = 8

/** The round that runs now: its block, the time left, and the last hash with the digit that decided. */
export const LiveRound = memo(function LiveRound() {
  const { t } = useLingui()
  const hall = useHall()
  const scene = useScene(hall.data?.list[0]?.scenes[0]?.scene_id)
  // Drawn in slices: an answer alone would have all of it drawn in one go.
  const shown = useDeferredValue(scene.data)
  const problem = hall.error ?? scene.error
  const retry = () => void (hall.isError ? hall.refetch() : scene.refetch())
  if (problem && !scene.data) {
    return <Failed onRetry={retry} problem={problem} />
  }
  return (
    <Pressable
      to="/game1"
      search={shown ? { game: shown.game, scene: shown.scene_id } : {}}
      className="block text-left active:opacity-85"
    >
      <Card title={t`Odd / Even`} note={shown && isRunning(shown) && <RoundNote scene={shown} />}>
        <News at={scene.dataUpdatedAt} error={scene.error}>
          <HashRibbon hash={shown?.results[0]?.hash ?? null} />
          <div className="mt-3 flex min-h-[1.125rem] flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
            <p className="text-small text-t3">{shown && <LastResult result={shown.results[0]} />}</p>
            {shown && shown.results.length > 0 && <Beads digits={digitsOf(shown)} />}
          </div>
        </News>
      </Card>
    </Pressable>
  )
})

function RoundNote({ scene }: { scene: RunningScene }) {
  const now = useServerNow()
  return (
    <>
      <Trans>Block {formatCount(scene.height)}</Trans> ·{" "}
      <b className="font-semibold text-t1">
        {isOpen(scene, now) ? <Countdown until={scene.closes_at} /> : <Trans>Drawing</Trans>}
      </b>
    </>
  )
}

function LastResult({ result }: { result: ResultRow | undefined }) {
  if (result === undefined) return <Trans>No result yet. The first one comes with the next block.</Trans>
  const found = result.hash === null ? null : decidingDigit(result.hash)
  if (found === null) return <Trans>The last round was void: all stakes went back.</Trans>
  const { digit } = found
  return digit % 2 === 1 ? <Trans>Last result {digit}, odd</Trans> : <Trans>Last result {digit}, even</Trans>
}

/** The last digits, newest last. */
const digitsOf = ({ results }: SceneAnswer) =>
  results
    .slice(0, BEADS)
    .map(({ digit }) => digit)
    .reverse()
