import { Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { useSilentSince } from "../lib/silence.ts"
import { formatMoment } from "../lib/time.ts"

interface Props {
  at: number
  /** Why the last call brought none. */
  error?: Error | null
  children: ReactNode
}

/** Figures that the live socket keeps fresh: dimmed, with the time of the last news, while it is silent or calls fail. */
export function News({ at, error = null, children }: Props) {
  const since = useSilentSince(at, error !== null)
  return (
    <>
      <div className={`transition-opacity duration-200 ${since === null ? "" : "opacity-60"}`}>
        {children}
      </div>
      <div role="status">
        {since !== null && (
          <p className="mt-2 text-small text-warn">
            <Trans>Reconnecting, as of {formatMoment(since)}</Trans>
          </p>
        )}
      </div>
    </>
  )
}
