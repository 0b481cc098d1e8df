import { useLingui } from "@lingui/react/macro"
import { useEffect, useState } from "react"
import { buzz } from "../lib/haptics.ts"
import { refresh } from "../lib/refreshing.ts"

const CELLS = 5
/** How far the finger goes for each cell. */
const STEP = 28

/** A pull at the top of the page asks anew for all that it shows; cells fill as the finger goes down. */
export default function PullToRefresh() {
  const [filled, setFilled] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let from: number | null = null
    let reached = 0
    const begin = ({ touches }: TouchEvent) => {
      const free = scrollY <= 0 && touches.length === 1 && document.querySelector("[role=dialog]") === null
      from = free ? (touches[0]?.clientY ?? null) : null
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === null) return
      const way = scrollY > 0 ? 0 : (touches[0]?.clientY ?? 0) - from
      reached = Math.max(0, Math.min(CELLS, Math.floor(way / STEP)))
      setFilled(reached)
    }
    const end = () => {
      if (from !== null && reached === CELLS) {
        buzz()
        setBusy(true)
        void refresh().finally(() => setBusy(false))
      }
      from = null
      reached = 0
      setFilled(0)
    }
    const away = new AbortController()
    const calm = { passive: true, signal: away.signal }
    addEventListener("touchstart", begin, calm)
    addEventListener("touchmove", move, calm)
    addEventListener("touchend", end, calm)
    addEventListener("touchcancel", end, calm)
    return () => away.abort()
  }, [])
  const shown = busy || filled > 0
  return (
    <div
      role="status"
      className={`pointer-events-none fixed top-[calc(2.5rem+env(safe-area-inset-top))] z-30 flex w-full max-w-column justify-center transition-opacity duration-[120ms] ${shown ? "" : "opacity-0"}`}
    >
      <PullCells filled={filled} busy={busy} />
    </div>
  )
}

/** How far the pull has come, or that the page is being asked for. */
export function PullCells({ filled, busy = false }: { filled: number; busy?: boolean }) {
  const { t } = useLingui()
  return (
    <span className="flex gap-1 rounded-full bg-s3 px-3 py-2">
      {busy && <span className="sr-only">{t`Refreshing`}</span>}
      {Array.from({ length: CELLS }, (_, index) => (
        <span
          key={index}
          aria-hidden="true"
          style={busy ? { animationDelay: `${index * 90}ms` } : undefined}
          className={`h-4 w-3 rounded-[3px] ${busy ? "animate-pass bg-brand" : index < filled ? "bg-brand" : "bg-s2"}`}
        />
      ))}
    </span>
  )
}
