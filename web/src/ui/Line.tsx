import type { ReactNode } from "react"

/** A name and its value on one line: review sheets, details, limits. */
export function Line({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1">
      <span className="text-t2">{name}</span>
      <span className="ml-auto min-w-0 text-right font-medium break-words">{children}</span>
    </div>
  )
}
