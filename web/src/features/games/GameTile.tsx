import { Plural, Trans } from "@lingui/react/macro"
import type { HallAnswer } from "../../lib/api.gen.ts"
import { formatPercent } from "../../lib/money.ts"
import { isOpen } from "../../lib/rounds.ts"
import { useServerNow } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Countdown } from "../../ui/Countdown.tsx"
import { GameGlyph } from "../../ui/GameGlyph.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { useWords } from "./words.ts"

type Game = HallAnswer["list"][number]
type Room = Game["scenes"][number]

/** A game as a plate with its rooms: how long a round is, when it closes, how much it still takes. */
export function GameTile({ game }: { game: Game }) {
  const words = useWords()
  return (
    <section className="mt-4 rounded-card bg-s1 px-4 pt-4 pb-1.5">
      <div className="flex items-center gap-4">
        <GameGlyph />
        <div className="min-w-0">
          <h2 className="text-h2">{words.game(game.game)}</h2>
          <p className="mt-0.5 text-small text-t3">
            <Trans>Return to player {formatPercent(game.return_to_player)}</Trans>
          </p>
          {game.online > 0 && (
            <p className="text-small text-t3">
              <Plural value={game.online} one="# player in 5 minutes" other="# players in 5 minutes" />
            </p>
          )}
        </div>
      </div>
      <ul className="mt-3">
        {game.scenes.map((room) => (
          <li key={room.scene_id} className="border-t border-line first:border-t-0">
            <RoomRow game={game.game} room={room} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RoomRow({ game, room }: { game: string; room: Room }) {
  const words = useWords()
  const now = useServerNow()
  return (
    <Pressable
      to="/game1"
      search={{ game, scene: room.scene_id }}
      className="flex min-h-16 items-center gap-3 py-2 active:opacity-70"
    >
      <span className="min-w-0 flex-1">
        <span className="block">
          <Trans>{words.length(room.seconds)} rounds</Trans>
        </span>
        <span className="block text-small text-t3">
          <Trans>Still takes</Trans>
          {room.balance_types.map((asset, index) => (
            <span key={asset}>
              {index === 0 ? " " : " · "}
              <Amount value={room.room[asset]} asset={asset} most={0} least={0} />
            </span>
          ))}
        </span>
      </span>
      {room.closes_at === null ? (
        <span className="text-small text-t3">
          <Trans>Opens soon</Trans>
        </span>
      ) : isOpen(room, now) ? (
        <Countdown until={room.closes_at} />
      ) : (
        <span className="text-small text-t3">
          <Trans>Drawing</Trans>
        </span>
      )}
      <Icon name="next" size={4} className="text-t3" />
    </Pressable>
  )
}
