import { copyText } from "../lib/copying.ts"

/** Hand a link to the device's own share panel; where there is none, copy it. */
export function useShare(): (url: string) => void {
  return (url) => {
    if (!navigator.share) return void copyText(url)
    // Closing the panel without sharing is no failure.
    void navigator.share({ url }).catch(() => undefined)
  }
}
