import { startTransition, useEffect, useState } from "react"

const LATEST = 1000
/** Where the browser doesn't say when it is idle. */
const SOON = 200

let begun = false

/**
 * False while the page's first screen is drawn, true as soon as that stands and the browser has time: what can wait
 * for that comes in slices, so that no press waits for it. Every later screen is drawn whole.
 */
export function useLater(): boolean {
  const [later, setLater] = useState(begun)
  useEffect(() => {
    if (later) return
    return whenIdle(() => {
      begun = true
      startTransition(() => setLater(true))
    })
  }, [later])
  return later
}

/** Run once the browser has nothing else to do, or has waited long enough; returns the way to give it up. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, SOON)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: LATEST })
  return () => cancelIdleCallback(handle)
}

export const idle = (): Promise<void> => new Promise((done) => void whenIdle(done))
