import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  icon: IconName
  label: string
  /** The one that matters most. */
  filled?: boolean
}

/** One of the square actions under the balance. */
export function ActionTile({ icon, label, filled, ...target }: Props) {
  return (
    <Pressable
      {...target}
      className={`flex min-h-[4.25rem] flex-1 flex-col items-center justify-center gap-1 rounded-control px-1 text-small ${filled ? "bg-brand text-on-brand active:opacity-85" : "bg-s2 text-t1 active:bg-s3"}`}
    >
      <Icon name={icon} size={5} />
      <span className="text-center">{label}</span>
    </Pressable>
  )
}
