import type { ReactNode } from "react"
import { Icon } from "./Icon.tsx"
import { Pressable, type Target } from "./Pressable.tsx"

interface Props extends Target {
  icon?: ReactNode
  title: ReactNode
  note?: ReactNode
  value?: ReactNode
  valueNote?: ReactNode
  /** What stands at the far right; `next` is the small arrow of a row that leads somewhere. */
  trailing?: ReactNode | "next"
}

/** One line of a quiet ledger: disc, name and one grey fact, and at the right a figure over its value. */
export function Row({ icon, title, note, value, valueNote, trailing, ...target }: Props) {
  const pressable = target.to !== undefined || target.onPress !== undefined || target.href !== undefined
  // Where figure and title don't fit beside each other, the figure takes the line under it.
  const look = "flex min-h-14 w-full flex-wrap items-center gap-x-3 gap-y-1 py-2 text-left"
  const inside = (
    <>
      {icon}
      <span className="min-w-[5.5rem] flex-1">
        <span className="block break-words">{title}</span>
        {note !== undefined && <span className="block text-small break-words text-t3">{note}</span>}
      </span>
      {(value !== undefined || valueNote !== undefined) && (
        <span className="ml-auto text-right">
          <span className="block">{value}</span>
          {valueNote !== undefined && <span className="block text-small text-t3">{valueNote}</span>}
        </span>
      )}
      {trailing === "next" ? <Icon name="next" size={4} className="text-t3" /> : trailing}
    </>
  )
  if (!pressable) return <div className={look}>{inside}</div>
  return (
    <Pressable {...target} className={`${look} rounded-cell active:opacity-70`}>
      {inside}
    </Pressable>
  )
}
