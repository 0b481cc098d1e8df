import { useSyncExternalStore } from "react"
import { startInstall } from "./install.ts"
import { whenIdle } from "./later.ts"

let ready = false
const listeners = new Set<() => void>()

/** Another build than this page's is there: a reload would show it. */
export function setUpdateReady(): void {
  ready = true
  for (const listener of listeners) listener()
}

export const isUpdateReady = (): boolean => ready

export function useUpdateReady(): boolean {
  return useSyncExternalStore(listen, isUpdateReady)
}

/** Load the page anew in its newest build. */
export async function update(): Promise<void> {
  const { applyUpdate } = await import("./updates.ts")
  await applyUpdate()
}

/**
 * What goes on behind the page: see updates.ts. It begins once the first screen is `shown` and the browser has time.
 * In development there is no build to keep.
 */
export function startUpdates(shown: Promise<unknown>): void {
  startInstall()
  if (!import.meta.env.PROD) return
  // Without a worker the page only shows nothing while it is offline.
  const start = () =>
    void import("./updates.ts").then(({ followWorker }) => followWorker()).catch(() => undefined)
  void shown.then(() => whenIdle(start))
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
