import { useSyncExternalStore } from "react"
import { useOnline } from "./network.ts"

const STARTING = 1500

/** Of the page, not of this module, which comes with the first screen that needs it. */
const startedAt = performance.timeOrigin
let starting = true
const listeners = new Set<() => void>()
setTimeout(() => {
  starting = false
  for (const listener of listeners) listener()
}, STARTING)

/** Whether an answer must be shown with its time: a later try failed, nothing answers, or it is from another day's visit. */
export function useOld({ error, dataUpdatedAt }: { error: Error | null; dataUpdatedAt: number }): boolean {
  const online = useOnline()
  const begun = useSyncExternalStore(listen, () => !starting)
  return error !== null || !online || (begun && dataUpdatedAt < startedAt)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
