import { Trans } from "@lingui/react/macro"
import type { SceneAnswer } from "../../lib/api.gen.ts"
import { Notice } from "../../ui/Notice.tsx"

/** Why no game takes bets at the moment; nothing while they do. */
export function NoBets({ closed }: { closed: SceneAnswer["betting_closed"] }) {
  if (closed === null) return null
  return (
    <Notice tone="warn">
      {closed === "chain" ? (
        <Trans>
          No bets at the moment: the chain's nodes don't agree, or show no new block. Play goes on by itself
          as soon as they do.
        </Trans>
      ) : (
        <Trans>
          No bets at the moment: the clocks that say when a round closes differ. Play goes on by itself as
          soon as they agree.
        </Trans>
      )}
    </Notice>
  )
}
