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
