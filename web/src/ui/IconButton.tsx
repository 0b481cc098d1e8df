import { Icon } from "./Icon.tsx"
import type { IconName } from "./icons.ts"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  icon: IconName
  label: string
  size?: 4 | 5 | 6
  pressed?: boolean
  disabled?: boolean
  className?: string
}

/** A glyph to press, 44 px wide whatever its size. */
export function IconButton({ icon, label, size = 6, pressed, className = "text-t2", ...target }: Props) {
  return (
    <Pressable
      {...target}
      label={label}
      aria-pressed={pressed}
      className={`grid size-11 shrink-0 place-items-center rounded-full active:bg-s2 disabled:opacity-40 ${className}`}
    >
      <Icon name={icon} size={size} />
    </Pressable>
  )
}
