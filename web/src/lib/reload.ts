import { isReachable, onReturn, suspectOffline } from "./network.ts"
import { isPaying } from "./paying.ts"
import { entryOfPage } from "./version.ts"
import { LOST_WIRE } from "./wire/channel.ts"

const STAMP = "kalos.chunk"
const MOST = 50

/** The code of a screen didn't come: the server may be away, or the code gone. */
export class LostCode extends Error {
  constructor(path: string, options: ErrorOptions) {
    super(`the code of ${path} did not load`, options)
    suspectOffline()
  }
}

/**
 * Load the page anew once the server is back, for browsers ask no second time for code that failed to come. What is being
 * paid must not lose what it knows: then it is left to the member. Returns the way to give it up.
 */
export function reloadOnReturn(): () => void {
  return onReturn(() => isPaying() || location.reload())
}

/**
 * Code that is gone, as long after a deploy: load the page anew at the address that was gone to, once for
 * each address and build however slow the line is, and only where the server answers. `goingTo` is that address, null where nobody goes anywhere: a part fetched ahead, or one of the
 * screen that is shown, must not take away what was typed there.
 */
export function startReloadOnLostCode(
  goingTo: () => string | null,
  load: (address: string) => void = loadAnew,
): void {
  addEventListener("vite:preloadError", () => void onLostCode(goingTo(), load))
  // No screen works without the wire. Each call tells it again, so those that are made once the server is back do.
  addEventListener(LOST_WIRE, () => void onLostCode(isPaying() ? null : location.href, load))
}

async function onLostCode(wanted: string | null, load: (address: string) => void): Promise<void> {
  if (wanted === null || !navigator.onLine || !(await isReachable())) return
  if (isFirst(`${entryOfPage()} ${wanted}`)) load(wanted)
}

/** Whether it wasn't tried before. Where nothing can be kept nobody knows, and one reload would follow the other. */
function isFirst(stamp: string): boolean {
  try {
    const stamps = (sessionStorage.getItem(STAMP) ?? "").split("\n")
    if (stamps.includes(stamp)) return false
    sessionStorage.setItem(STAMP, [...stamps, stamp].slice(-MOST).join("\n"))
    return true
  } catch {
    return false
  }
}

function loadAnew(address: string): void {
  history.replaceState(null, "", address)
  location.reload()
}
