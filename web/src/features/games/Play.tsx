import { Trans } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { formatCount } from "../../lib/money.ts"
import { isRunning, known, type RunningScene, useScene } from "../../lib/rounds.ts"
import { formatTime } from "../../lib/time.ts"
import { Beads } from "../../ui/Beads.tsx"
import { Button } from "../../ui/Button.tsx"
import { CountdownRing } from "../../ui/CountdownRing.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { News } from "../../ui/News.tsx"
import type { Draft } from "./again.ts"
import { BetForm } from "./BetForm.tsx"
import { NoBets } from "./NoBets.tsx"
import { PreviousRound } from "./PreviousRound.tsx"
import { lastRoundQuery } from "./queries.ts"
import { RoomSkeleton } from "./RoomSkeleton.tsx"
import { SlipTray } from "./SlipTray.tsx"

const BEADS = 16

/** A round as it runs: time and block, the last result, the bet, and my slips. */
export function Play({ sceneId, drafts }: { sceneId: string; drafts: Map<string, Draft> }) {
  const search = useSearch({ from: "/game1" })
  const scene = useScene(sceneId)
  const last = useQuery({ ...lastRoundQuery(sceneId), refetchInterval: 10_000 })
  return (
    <Loaded query={known(scene)} skeleton={<RoomSkeleton />}>
      {(data) =>
        isRunning(data) ? (
          <>
            <News at={scene.dataUpdatedAt} error={scene.error}>
              <RoundHead scene={data} />
              <PreviousRound round={last.data?.list[0]} />
            </News>
            <SlipTray scene={data}>
              {data.results.length > 0 && (
                <div className="mt-4 flex min-h-14 flex-col justify-center rounded-card bg-s1 px-4">
                  <Beads
                    digits={data.results
                      .slice(0, BEADS)
                      .map(({ digit }) => digit)
                      .reverse()}
                  />
                </div>
              )}
            </SlipTray>
            <NoBets closed={data.betting_closed} />
            <BetForm scene={data} drafts={drafts} />
          </>
        ) : (
          <Empty
            text={<Trans>The first round of this room opens in a moment.</Trans>}
            action={
              <Button kind="quiet" small to="/game1" search={{ ...search, view: "rules" }}>
                <Trans>Rules</Trans>
              </Button>
            }
          />
        )
      }
    </Loaded>
  )
}

/** The time left in a ring, the block that will decide, and when betting ends. */
function RoundHead({ scene }: { scene: RunningScene }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
      <CountdownRing
        opensAt={scene.opens_at}
        closesAt={scene.closes_at}
        open={scene.state === "open"}
        label={<Trans>to close</Trans>}
        closed={<Trans>Drawing</Trans>}
      />
      <div className="min-w-[7rem] flex-1">
        <p className="text-small text-t3">
          <Trans>Result block</Trans>
        </p>
        <p className="font-mono text-h2 font-medium">{formatCount(scene.height)}</p>
        <p className="mt-1.5 text-small text-t3">
          {scene.state === "open" ? (
            <Trans>Closes at {formatTime(scene.closes_at)}</Trans>
          ) : (
            <Trans context="to bets">Closed</Trans>
          )}
        </p>
      </div>
    </div>
  )
}
