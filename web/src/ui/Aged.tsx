import { Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { formatTime } from "../lib/time.ts"

interface Props {
  /** When the figures last came; null while they are fresh. */
  since: number | null
  children: ReactNode
}

/** Figures that live: where nothing new comes they are dimmed, and the time of the last word stands under them in amber. */
export function Aged({ since, children }: Props) {
  return (
    <>
      <div className={`transition-opacity duration-200 ${since === null ? "" : "opacity-60"}`}>
        {children}
      </div>
      {since !== null && (
        <p role="status" className="mt-2 text-small text-warn">
          <Trans>Reconnecting, figures as of {formatTime(since)}</Trans>
        </p>
      )}
    </>
  )
}
