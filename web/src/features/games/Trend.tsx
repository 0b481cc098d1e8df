import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import type { ResultRow } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { rowsOf } from "../../lib/queries.ts"
import { useScene } from "../../lib/rounds.ts"
import { formatTime } from "../../lib/time.ts"
import { shortened } from "../../ui/Address.tsx"
import { BeadRoad } from "../../ui/BeadRoad.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { ResultBead } from "../../ui/ResultBead.tsx"
import { Row } from "../../ui/Row.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { pastRoundsQuery } from "./queries.ts"
import { RoundSheet } from "./RoundSheet.tsx"
import { useWords } from "./words.ts"

/** What the chain has drawn: the bead road of the last fifty, then every round with its block. */
export function Trend({ sceneId }: { sceneId: string }) {
  const { t } = useLingui()
  const search = useSearch({ from: "/game1" })
  const scene = useScene(sceneId)
  const past = useInfiniteQuery({ ...pastRoundsQuery(sceneId), refetchInterval: 15_000 })
  const [opened, setOpened] = useState<string | null>(null)
  const shown = rowsOf(past.data).find(({ round }) => round === opened)
  const detail = useSheet("round", shown !== undefined)
  return (
    <>
      <Loaded query={scene} skeleton={<SkeletonCard className="h-64" />}>
        {({ results }) =>
          results.length > 0 && (
            <Card title={t`Bead road`} note={<Trans>last {results.length}</Trans>}>
              <BeadRoad digits={results.map(({ digit }) => digit).reverse()} />
              <p className="mt-3 text-small text-t3">
                <Trans>Each digit has a chance of one in ten, whatever came before.</Trans>
              </p>
            </Card>
          )
        }
      </Loaded>
      <InfiniteList
        query={past}
        keyOf={(round) => round.round}
        dayOf={(round) => round.closes_at}
        row={(round) => (
          <RoundRow
            round={round}
            onPress={() => {
              setOpened(round.round)
              detail.show()
            }}
          />
        )}
        empty={
          <Empty
            text={t`No round has closed yet.`}
            action={<Button small to="/game1" search={{ ...search, view: "play" }}>{t`To the room`}</Button>}
          />
        }
      />
      {shown && <RoundSheet round={shown} />}
    </>
  )
}

function RoundRow({ round, onPress }: { round: ResultRow; onPress: () => void }) {
  const words = useWords()
  return (
    <Row
      icon={<ResultBead digit={round.outcome === null ? null : round.digit} />}
      title={words.result(round)}
      note={<span className="font-mono">{round.hash === null ? "—" : shortened(round.hash)}</span>}
      value={<span className="font-mono">{formatCount(round.height)}</span>}
      valueNote={formatTime(round.closes_at)}
      onPress={onPress}
    />
  )
}
