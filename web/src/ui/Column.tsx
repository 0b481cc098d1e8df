import type { ReactNode } from "react"

/** The phone-wide column that every screen stands in. */
export function Column({ barred, children }: { barred: boolean; children: ReactNode }) {
  return (
    <div
      data-barred={barred || undefined}
      className="group/column relative mx-auto flex min-h-dvh w-full max-w-column flex-col bg-bg desk:shadow-[0_0_0_1px_var(--line)]"
    >
      {children}
    </div>
  )
}
