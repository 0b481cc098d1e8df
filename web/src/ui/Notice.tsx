import type { ReactNode } from "react"
import { Icon } from "./Icon.tsx"

const TONES = { danger: "text-danger", warn: "text-warn", info: "text-info" } as const
const ICON = { danger: "warning", warn: "warning", info: "info" } as const

/** A sentence that must not be missed, in the flow of the page. */
export function Notice({ tone = "info", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      className="mt-4 flex items-start gap-2.5 rounded-chip bg-s1 px-3 py-2.5 text-small text-t1"
    >
      <Icon name={ICON[tone]} size={5} className={TONES[tone]} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
