import { version } from "../../package.json"

export const VERSION: string = version

/** The script that this page began with: its build's mark. */
export function entryOfPage(): string {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]:not([async])")
  return script ? new URL(script.src).pathname : ""
}
