import { isReachable } from "./network.ts"

const STAMP = "kalos.chunk"
const GAP = 10_000

/**
 * Code that is gone, as long after a deploy: load the page anew at the address that was gone to, once, and only where
 * the server answers. `goingTo` is that address, null where nobody goes anywhere: a part fetched ahead, or one of the
 * screen that is shown, must not take away what was typed there.
 */
export function startReloadOnLostCode(
  goingTo: () => string | null,
  load: (address: string) => void = loadAnew,
): void {
  addEventListener("vite:preloadError", () => void onLostCode(goingTo(), load))
}

async function onLostCode(wanted: string | null, load: (address: string) => void): Promise<void> {
  const last = Number(sessionStorage.getItem(STAMP) ?? 0)
  if (wanted === null || !navigator.onLine || Math.abs(Date.now() - last) < GAP) return
  sessionStorage.setItem(STAMP, String(Date.now()))
  if (await isReachable()) load(wanted)
}

function loadAnew(address: string): void {
  history.replaceState(null, "", address)
  location.reload()
}
