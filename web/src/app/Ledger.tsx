import { Trans } from "@lingui/react/macro"
import type { ResultRow } from "../lib/api.gen.ts"
import { formatCount } from "../lib/money.ts"
import { isOpen, isRunning, type RunningScene, useHall, useRoundUpdates, useScene } from "../lib/rounds.ts"
import { useServerNow } from "../lib/time.ts"
import { BlankRibbons } from "../ui/BlankRibbons.tsx"
import { Countdown } from "../ui/Countdown.tsx"
import { HashRibbon } from "../ui/HashRibbon.tsx"
import { Pressable } from "../ui/Pressable.tsx"

const LINES = 16
const CELLS = 12

/** Beside the column on a desktop: what the chain has drawn, hash under hash, each with the digit that decided. */
export default function Ledger() {
  useRoundUpdates()
  const hall = useHall()
  const scene = useScene(hall.data?.list[0]?.scenes[0]?.scene_id)
  const drawn = scene.data?.results.filter(({ hash }) => hash !== null) ?? []
  return (
    <aside className="flex w-full max-w-88 flex-col pt-8 pl-10">
      <h2 className="text-h2">
        <Trans>A ledger you can check</Trans>
      </h2>
      <p className="mt-2 text-small text-t3">
        <Trans>
          Each result is the last digit of a block's hash. Nobody chooses it, and anyone can check it.
        </Trans>
      </p>
      <div className="mt-6 min-h-11 text-small text-t3">
        {scene.data && isRunning(scene.data) && <Next scene={scene.data} />}
      </div>
      <HashRibbon cells={CELLS} />
      <ol className="-mx-1 mt-4 flex min-h-0 flex-1 flex-col gap-4 overflow-hidden mask-b-from-50% px-1">
        {drawn.slice(0, LINES).map((round) => (
          <Line key={round.round} round={round} />
        ))}
        <BlankRibbons lines={Math.max(0, LINES - drawn.length)} cells={CELLS} />
      </ol>
      <p className="py-6">
        <Pressable
          to="/game1"
          search={{ view: "trend" }}
          className="text-small text-brand-text hover:underline"
        >
          <Trans>All results</Trans> ›
        </Pressable>
      </p>
    </aside>
  )
}

function Next({ scene }: { scene: RunningScene }) {
  const now = useServerNow()
  return (
    <p className="flex items-baseline justify-between gap-3">
      <Trans>Next block {formatCount(scene.height)}</Trans>
      {isOpen(scene, now) ? <Countdown until={scene.closes_at} /> : <Trans>Drawing</Trans>}
    </p>
  )
}

function Line({ round: { hash, height, digit } }: { round: ResultRow }) {
  return (
    <li>
      <p className="mb-1.5 flex justify-between text-caption text-t3">
        <span className="font-mono">{formatCount(height)}</span>
        {digit !== null && (
          <span className="text-t2">
            {digit % 2 === 1 ? <Trans>{digit} · odd</Trans> : <Trans>{digit} · even</Trans>}
          </span>
        )}
      </p>
      <HashRibbon hash={hash} cells={CELLS} />
    </li>
  )
}
