import { formatLeft } from "../lib/ticking.ts"
import { useServerNow } from "../lib/time.ts"

/** Time left until a moment of the server's clock, as mm:ss. */
export function Countdown({ until }: { until: number }) {
  const now = useServerNow(1000)
  return (
    <span role="timer" aria-live="off" className="font-semibold whitespace-nowrap text-t1 tabular-nums">
      {formatLeft(until - now)}
    </span>
  )
}
