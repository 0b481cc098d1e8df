import { useLingui } from "@lingui/react/macro"
import type { HallScene } from "../../lib/api.gen.ts"
import { secondsOf } from "../../lib/rounds.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { useWords } from "./words.ts"

interface Props {
  rooms: readonly HallScene[]
  value: string
  onChange: (sceneId: string) => void
}

/** How long a round lasts; pressing goes to the game's next room. */
export function RoomSwitch({ rooms, value, onChange }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const length = words.length(secondsOf(value))
  const place = rooms.findIndex(({ scene_id }) => scene_id === value)
  const next = rooms[(place + 1) % rooms.length]
  return (
    <Pressable
      onPress={() => next && onChange(next.scene_id)}
      label={t`Length of a round: ${length}. Press for another room.`}
      className="group mr-3 flex min-h-11 items-center"
    >
      <span className="flex min-h-9 items-center gap-1 rounded-chip bg-s2 pr-2 pl-2.5 text-small text-t1 group-active:bg-s3">
        {length}
        <Icon name="swap" size={4} className="text-t3" />
      </span>
    </Pressable>
  )
}
