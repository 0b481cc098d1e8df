import { useLingui } from "@lingui/react/macro"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import type { HallAnswer } from "../../lib/api.gen.ts"
import { known, useHall, useRoundUpdates } from "../../lib/rounds.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import type { Draft } from "./again.ts"
import { Bets } from "./Bets.tsx"
import { Play } from "./Play.tsx"
import { RoomSkeleton } from "./RoomSkeleton.tsx"
import { RoomSwitch } from "./RoomSwitch.tsx"
import { Rules } from "./Rules.tsx"
import type { RoomSearch } from "./search.ts"
import { Trend } from "./Trend.tsx"
import { useWords } from "./words.ts"

// Tickets, the racer and the quiz come with their domains.
/** /game1: one game in one of its rooms: play, past results, own bets, rules. All of it stands in the address. */
export default function RoomPage() {
  const { t } = useLingui()
  const words = useWords()
  const search = useSearch({ from: "/game1" })
  const navigate = useNavigate({ from: "/game1" })
  useRoundUpdates()
  useAccountUpdates()
  const hall = useHall()
  // What stands in each room's form, while another view is looked at.
  const [drafts] = useState(() => new Map<string, Draft>())
  const change = (part: RoomSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true })
  const { view = "play" } = search
  const game = search.game ?? hall.data?.list[0]?.game ?? "odd_even"
  const rooms = roomsOf(hall.data?.list ?? [], game)
  const room = rooms.find(({ scene_id }) => scene_id === search.scene)?.scene_id ?? rooms[0]?.scene_id
  const inRoom = view === "play" || view === "trend"
  return (
    <Page
      title={words.game(game)}
      back="/game"
      action={
        inRoom &&
        room !== undefined && (
          <RoomSwitch rooms={rooms} value={room} onChange={(scene) => change({ scene })} />
        )
      }
    >
      <Segmented
        label={t`View`}
        options={[
          { value: "play", label: t`Play` },
          { value: "trend", label: t`Trend` },
          { value: "bets", label: t({ message: "Bets", context: "my own, a tab" }) },
          { value: "rules", label: t`Rules` },
        ]}
        value={view}
        onChange={(next) => change({ view: next })}
      />
      {inRoom && (
        <Loaded query={known(hall)} skeleton={<RoomSkeleton />}>
          {() =>
            room !== undefined &&
            (view === "play" ? (
              <Play key={room} sceneId={room} drafts={drafts} />
            ) : (
              <Trend key={room} sceneId={room} />
            ))
          }
        </Loaded>
      )}
      {view === "bets" && (
        <Bets game={game} status={search.status} onStatus={(status) => change({ status } as RoomSearch)} />
      )}
      {view === "rules" && <Rules game={game} />}
    </Page>
  )
}

function roomsOf(list: HallAnswer["list"], game: string): HallAnswer["list"][number]["scenes"] {
  return (list.find((known) => known.game === game) ?? list[0])?.scenes ?? []
}
