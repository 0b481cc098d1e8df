import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  icon: IconName
  label: string
}

/** A 44 px tile with its name under it. */
export function ServiceTile({ icon, label, ...target }: Props) {
  return (
    <Pressable
      {...target}
      className="flex flex-col items-center gap-1.5 text-center text-caption text-t2 [overflow-wrap:anywhere]"
    >
      <span className="grid size-11 place-items-center rounded-control bg-s2 text-t1">
        <Icon name={icon} size={5} />
      </span>
      {label}
    </Pressable>
  )
}
