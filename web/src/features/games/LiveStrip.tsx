import { Trans } from "@lingui/react/macro"
import type { BlockShape, SceneAnswer } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { isRunning } from "../../lib/rounds.ts"
import { formatUtc } from "../../lib/time.ts"
import { Beads } from "../../ui/Beads.tsx"
import { CountdownRing } from "../../ui/CountdownRing.tsx"
import { HashRibbon } from "../../ui/HashRibbon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

interface Props {
  /** Undefined until the hall is there; null where the chain doesn't answer. */
  head: BlockShape | null | undefined
  scene: SceneAnswer | undefined
  failed: boolean
}

const BEADS = 20

/** The chain's newest block beside the next close, and the last twenty digits by their shape. */
export function LiveStrip({ head, scene, failed }: Props) {
  if (failed && head === undefined) {
    return (
      <Notice tone="warn">
        <Trans>Block feed delayed</Trans>
      </Notice>
    )
  }
  return (
    <section className="-mx-5 mt-3 bg-s1 px-5 py-4 max-narrow:-mx-4 max-narrow:px-4">
      <div className="flex flex-wrap items-center gap-4">
        {scene && isRunning(scene) ? (
          <CountdownRing
            opensAt={scene.opens_at}
            closesAt={scene.closes_at}
            open={scene.state === "open"}
            label={<Trans>to close</Trans>}
            closed={<Trans>Drawing</Trans>}
          />
        ) : (
          <Skeleton className="size-[6.5rem] rounded-full" />
        )}
        <div className="min-w-[8.5rem] flex-1">
          <p className="text-small text-t3">
            <Trans>Newest block</Trans>
          </p>
          {head ? (
            <>
              <p className="font-mono text-h2 font-medium">{formatCount(head.number)}</p>
              <p className="text-caption text-t3">{formatUtc(head.time)}</p>
            </>
          ) : head === null ? (
            <p className="text-warn">
              <Trans>Block feed delayed</Trans>
            </p>
          ) : (
            <Skeleton className="mt-1 h-10 w-40" />
          )}
        </div>
      </div>
      <div className="mt-4">
        <HashRibbon hash={head?.hash} />
      </div>
      <div className="mt-4 min-h-[1.125rem]">
        {scene && scene.results.length > 0 ? (
          <Beads
            digits={scene.results
              .slice(0, BEADS)
              .map(({ digit }) => digit)
              .reverse()}
          />
        ) : (
          !scene && <Skeleton className="h-[1.125rem] w-full rounded-full" />
        )}
      </div>
      <p className="mt-2.5 text-small text-t3">
        {scene && scene.results.length === 0 ? (
          <Trans>No results yet: the first round is still open.</Trans>
        ) : (
          <Trans>Newest at the right. Hollow is odd, filled is even.</Trans>
        )}
      </p>
    </section>
  )
}
