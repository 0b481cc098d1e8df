import { plural } from "@lingui/core/macro"
import { useLingui } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { useServerNow } from "../lib/time.ts"

interface Props {
  opensAt: number
  closesAt: number
  /** False where it closed before its time. */
  open: boolean
  /** Under the seconds: what happens then. */
  label: ReactNode
  /** In the ring when time is up or it has closed. */
  closed: ReactNode
}

const RADIUS = 48.5
const ROUND = 2 * Math.PI * RADIUS

/** The seconds left of a round, and as a ring how much of it that is. */
export function CountdownRing({ opensAt, closesAt, open, label, closed }: Props) {
  const { t } = useLingui()
  const now = useServerNow(250)
  const left = open ? Math.max(0, closesAt - now) : 0
  const part = Math.min(1, left / Math.max(1, closesAt - opensAt))
  const seconds = Math.ceil(left / 1000)
  return (
    <div
      role="timer"
      aria-live="off"
      aria-label={t`${plural(seconds, { one: "# second left", other: "# seconds left" })}`}
      className="relative grid size-[6.5rem] shrink-0 place-items-center"
    >
      <svg
        viewBox="0 0 104 104"
        className="absolute inset-0 -rotate-90"
        aria-hidden="true"
        fill="none"
        strokeWidth={7}
      >
        <circle cx={52} cy={52} r={RADIUS} className="stroke-s3" />
        <circle
          cx={52}
          cy={52}
          r={RADIUS}
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - part)}
          strokeLinecap="round"
          className={`transition-[stroke-dashoffset] duration-[250ms] ease-linear ${left > 0 ? "stroke-brand-text" : "stroke-transparent"}`}
        />
      </svg>
      <div className="text-center" aria-hidden="true">
        {left > 0 ? (
          <>
            <div className="text-display">{seconds}</div>
            <div className="-mt-1 text-small text-t3">{label}</div>
          </>
        ) : (
          <div className="px-3 text-small text-t2">{closed}</div>
        )}
      </div>
    </div>
  )
}
