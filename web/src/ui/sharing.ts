import { copyText } from "../lib/copying.ts"

/** Hand a link to the device's own share panel; where there is none, copy it. */
export function useShare(): (url: string) => void {
  return (url) => share({ url }, url)
}

/** Hand a text to the device's own share panel; where there is none, copy it. */
export const shareText = (text: string): void => share({ text }, text)

function share(data: ShareData, text: string): void {
  if (!navigator.share) return void copyText(text)
  // Closing the panel without sharing is no failure.
  void navigator.share(data).catch(() => undefined)
}
