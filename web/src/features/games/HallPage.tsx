import { Trans, useLingui } from "@lingui/react/macro"
import { useHall, useRoundUpdates, useScene } from "../../lib/rounds.ts"
import { Icon } from "../../ui/Icon.tsx"
import { List } from "../../ui/List.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { News } from "../../ui/News.tsx"
import { Page } from "../../ui/Page.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Row } from "../../ui/Row.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { GameTile } from "./GameTile.tsx"
import { hotFirst } from "./hot.ts"
import { LiveStrip } from "./LiveStrip.tsx"
import { NoBets } from "./NoBets.tsx"

const HEAD_EVERY = 3_000

// Further games, points, tickets and the quiz come with their domains.
/** /game: the chain as it runs, the games with their rooms, and how to check them. */
export default function HallPage() {
  const { t } = useLingui()
  useRoundUpdates()
  const hall = useHall(HEAD_EVERY)
  const scene = useScene(hall.data?.list[0]?.scenes[0]?.scene_id)
  return (
    <Page title={t`Play`} root action={<RefreshButton />}>
      <News at={hall.dataUpdatedAt} error={hall.error}>
        <LiveStrip head={hall.data?.head} scene={scene.data} failed={hall.isError} />
      </News>
      <NoBets closed={hall.data?.betting_closed ?? null} />
      <Loaded query={hall} skeleton={<SkeletonCard className="h-56" />}>
        {(found) => hotFirst(found).map((game) => <GameTile key={game.game} game={game} />)}
      </Loaded>
      <List>
        <Row
          icon={<Icon name="check" size={5} className="text-t2" />}
          title={<Trans>How results are proven</Trans>}
          note={<Trans>The block is fixed before the first bet</Trans>}
          to="/game1"
          search={{ view: "rules" }}
          trailing="next"
        />
        <Row
          icon={<Icon name="list" size={5} className="text-t2" />}
          title={<Trans>My bets</Trans>}
          note={<Trans>With block, hash and inclusion proof</Trans>}
          to="/game1"
          search={{ view: "bets" }}
          trailing="next"
        />
        <Row
          icon={<Icon name="ribbon" size={5} className="text-t2" />}
          title={<Trans>All results</Trans>}
          note={<Trans>Every round with its block</Trans>}
          to="/game1"
          search={{ view: "trend" }}
          trailing="next"
        />
        <Row
          icon={<Icon name="clock" size={5} className="text-t2" />}
          title={<Trans>Play limits</Trans>}
          note={<Trans>For a day, with a reminder, or a break</Trans>}
          to="/me1"
          search={{ view: "limits" }}
          trailing="next"
        />
      </List>
    </Page>
  )
}
