import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  icon: IconName
  label: string
  /** The one that matters most. */
  filled?: boolean
  /** The id of the words beside it that say why it can't be pressed now. */
  off?: string | undefined
}

/** One of the square actions under the balance. */
export function ActionTile({ icon, label, filled, off, ...target }: Props) {
  return (
    <Pressable
      {...target}
      disabled={off !== undefined}
      aria-describedby={off}
      className={`flex min-h-[4.25rem] flex-1 flex-col items-center justify-center gap-1 rounded-control px-1 text-small disabled:cursor-not-allowed disabled:bg-s2 disabled:text-t3 ${filled ? "bg-brand text-on-brand active:opacity-85" : "bg-s2 text-t1 active:bg-s3"}`}
    >
      <Icon name={icon} size={5} />
      <span className="text-center">{label}</span>
    </Pressable>
  )
}
