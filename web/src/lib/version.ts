import { version } from "../../package.json"

export const VERSION: string = version

/** The script that this page begins with: its build's mark. Named in the page before it is asked for. */
export function entryOfPage(): string {
  const entry = document.querySelector("link[data-entry],script[type=module]:not([async])")
  return entry?.getAttribute("href") ?? entry?.getAttribute("src") ?? ""
}
