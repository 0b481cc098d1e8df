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

/** Hand a file to the device's own share panel, which also saves it; where it takes none, do something else. */
export function shareFile(file: File, otherwise: () => void): void {
  const data = { files: [file] }
  // Closing the panel without sharing is no failure.
  if (navigator.canShare?.(data)) void navigator.share(data).catch(() => undefined)
  else otherwise()
}

const SAVED_MS = 40_000

/** Save a file where the browser saves what it downloads; some read it only after they have asked where to. */
export function saveFile(file: File): void {
  const href = URL.createObjectURL(file)
  Object.assign(document.createElement("a"), { href, download: file.name }).click()
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS)
}
