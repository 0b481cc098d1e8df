import { getSettings } from "./settings.ts"

/** Only some devices (Android's browsers) let a page vibrate; elsewhere nothing is promised. */
export const canBuzz = (): boolean => typeof navigator.vibrate === "function"

/** A 10 ms buzz at a key event, where the device can and the member wants it. */
export function buzz(): void {
  // Before the first tap the browser only complains.
  const touched = navigator.userActivation?.hasBeenActive ?? true
  if (getSettings().haptics && canBuzz() && touched) navigator.vibrate(10)
}
