import { Plural, Trans } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useEffect, useRef } from "react"
import type { BetRow } from "../../lib/api.gen.ts"
import { buzz } from "../../lib/haptics.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { newestBetsQuery } from "./queries.ts"
import { SlipState } from "./SlipState.tsx"
import { isWaiting, slipsOf } from "./slips.ts"
import { useWords } from "./words.ts"

const SHOWN = 6
const WAITING = 2_000
const CALM = 15_000

interface Props {
  scene: RunningScene
  /** What stands here while there are no slips. */
  children: ReactNode
}

/** My bets of this round and of the one before it, newest first, side by side; each says in its place how it ended. */
export function SlipTray({ scene, children }: Props) {
  const newest = useQuery({
    ...newestBetsQuery(scene.game),
    refetchInterval: ({ state: { data } }) => (data?.list.some(isWaiting) ? WAITING : CALM),
  })
  const slips = slipsOf(scene, newest.data?.list ?? [])
  useBuzzOnWin(slips)
  // The region stands before its first slip: readers hear only what comes into one that is there.
  return (
    <>
      {slips.length === 0 && children}
      <section
        aria-live="polite"
        className={
          slips.length === 0
            ? undefined
            : "-mx-5 mt-4 flex gap-2.5 overflow-x-auto px-5 [scrollbar-width:none] max-narrow:-mx-4 max-narrow:px-4"
        }
      >
        {slips.slice(0, SHOWN).map((bet) => (
          <Slip key={bet.bet_id} bet={bet} />
        ))}
        {slips.length > SHOWN && (
          <Pressable
            to="/game1"
            search={{ game: scene.game, view: "bets" }}
            className="grid min-h-14 shrink-0 place-items-center px-2 text-small whitespace-nowrap text-brand-text"
          >
            <Plural value={slips.length - SHOWN} one="# more bet" other="# more bets" />
          </Pressable>
        )}
      </section>
    </>
  )
}

/** One bet over its state; a win is underlined in gold. */
function Slip({ bet }: { bet: BetRow }) {
  const words = useWords()
  return (
    <Pressable
      to="/game1"
      search={{ game: bet.game, view: "bets" }}
      className="flex min-h-14 min-w-40 shrink-0 grow basis-0 flex-col justify-center rounded-control bg-s1 px-3.5 whitespace-nowrap active:bg-s2"
    >
      <span
        className={
          bet.status === "won" ? "underline decoration-gold decoration-2 underline-offset-4" : undefined
        }
      >
        <Trans>
          <Amount value={bet.amount} asset={bet.balance_type} least={0} private /> on{" "}
          {words.optionInSentence(bet.option)}
        </Trans>
      </span>
      <span className="text-small">
        <SlipState bet={bet} />
      </span>
    </Pressable>
  )
}

function useBuzzOnWin(slips: readonly BetRow[]): void {
  const waiting = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (slips.some((bet) => bet.status === "won" && waiting.current.has(bet.bet_id))) buzz()
    waiting.current = new Set(slips.filter(isWaiting).map((bet) => bet.bet_id))
  }, [slips])
}
