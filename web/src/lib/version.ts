import { version } from "../../package.json"

export const VERSION: string = version

/** The script that this page begins with: its build's mark. Named in the page before it is asked for. */
export function entryOfPage(): string {
  const named = document.querySelector<HTMLLinkElement>("link[data-entry]")?.href
  const script = document.querySelector<HTMLScriptElement>("script[type=module]:not([async])")?.src
  const entry = named ?? script
  return entry ? new URL(entry).pathname : ""
}
