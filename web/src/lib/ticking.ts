import { useEffect, useState } from "react"

/** The device's time: for waits that have nothing to do with business time. */
export const useNow = (every = 1000): number => useTicking(Date.now, every)

/** What a clock reads, rendered again every `every` milliseconds on its own edges; `onTick` comes before each. */
export function useTicking(read: () => number, every: number, onTick?: () => void): number {
  const [now, setNow] = useState(read)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      clearTimeout(timer)
      onTick?.()
      setNow(read())
      timer = setTimeout(tick, every - (read() % every))
    }
    tick()
    // A hidden page's timers run seldom: what comes back to sight shows the present at once.
    document.addEventListener("visibilitychange", tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener("visibilitychange", tick)
    }
  }, [read, every, onTick])
  return now
}

/** A duration as mm:ss, or h:mm:ss from an hour on; never below zero. */
export function formatLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, "0")
  const clock = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`
  return left >= 3600 ? `${Math.floor(left / 3600)}:${clock}` : clock
}
