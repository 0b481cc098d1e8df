import type { ReactNode } from "react"

interface Props {
  /** Whether the bottom bar stands under the screen. */
  barred: boolean
  /** At the left of the column, where there is room for it. */
  rail: ReactNode
  /** At its right, on a desktop. */
  aside: ReactNode
  children: ReactNode
}

const SIDE = "sticky top-0 hidden h-dvh min-w-0 overflow-y-auto [scrollbar-width:none]"

/** The phone-wide column that every screen stands in; a wider window gets a rail beside it, never a wider screen. */
export function Column({ barred, rail, aside, children }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,var(--column))_minmax(0,1fr)]">
      <div className={`${SIDE} justify-end rail:flex`}>{rail}</div>
      <div
        data-barred={barred || undefined}
        className="group/column relative col-start-2 flex min-h-dvh flex-col bg-bg rail:shadow-[0_0_0_1px_var(--line)]"
      >
        {children}
      </div>
      <div className={`${SIDE} broad:flex`}>{aside}</div>
    </div>
  )
}
