import type { InstallState } from "./install.ts"
import { getSettings, type Settings, setSettings } from "./settings.ts"

// When the page may be offered as an app unasked.

const VISIT_GAP = 30 * 60_000
const PUT_AWAY = 30 * 86_400_000

/** Somebody with a balance is here; what follows within half an hour is the same visit. */
export function countVisit(now = Date.now()): void {
  const before = getSettings().install
  const anew = now - before.seen > VISIT_GAP || before.seen > now
  setSettings({ install: { ...before, visits: before.visits + (anew ? 1 : 0), seen: now } })
}

/** Put the offer away for thirty days. */
export function putAway(now = Date.now()): void {
  setSettings({ install: { ...getSettings().install, away: now } })
}

/** Whether to offer the page as an app unasked: from the second visit on, where there is a way to install it. */
export function mayOffer(
  { visits, away }: Settings["install"],
  state: InstallState,
  now = Date.now(),
): boolean {
  return visits > 1 && Math.abs(now - away) > PUT_AWAY && (state === "offered" || state === "ios")
}
