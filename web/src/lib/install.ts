import { useSyncExternalStore } from "react"

/** What Chromium's browsers hand over where the page can be installed. Others have no such event, and ask nobody. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallEvent | null = null
const listeners = new Set<() => void>()

/** Keep the browser's offer for the row in the settings, instead of its own banner at a time of its choice. */
export function startInstalling(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault()
    offer(event as InstallEvent)
  })
  addEventListener("appinstalled", () => offer(null))
}

/** Asks the member whether to install the page; null where the browser doesn't offer it, or has done so. */
export function useInstall(): (() => void) | null {
  return useSyncExternalStore(listen, () => offered) && install
}

function install(): void {
  // The browser takes an offer once, whatever the answer is.
  void offered?.prompt()
  offer(null)
}

function offer(event: InstallEvent | null): void {
  offered = event
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
