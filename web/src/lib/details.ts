import { installState } from "./install.ts"
import { getSettings } from "./settings.ts"
import { VERSION } from "./version.ts"

/** What a report about a problem needs to know of the app; nothing of the member: no account, no token, no balance. */
export function appDetails(problem?: unknown): string {
  const { language, theme } = getSettings()
  const lines: [string, string][] = [
    ["Kalos", `${VERSION}, ${entryName()}`],
    ["Language", `${language} (${navigator.language})`],
    ["Screen", `${innerWidth} x ${innerHeight} at ${devicePixelRatio}, ${theme}`],
    ["Runs as", installState() === "app" ? "installed app" : "page in a browser"],
    ["Browser", navigator.userAgent],
    ["Time", new Date().toISOString()],
  ]
  if (problem !== undefined) lines.push(["Screen's address", location.pathname], ["Failure", String(problem)])
  return lines.map(([name, value]) => `${name}: ${value}`).join("\n")
}

/** The file that the page was started from; its name changes with every build. */
export function entryName(): string {
  return new URL(entryAddress(), location.origin).pathname.split("/").at(-1) ?? ""
}

/** The address of that file. What runs before it (`early.ts`) is `async`, and the same in many builds. */
export function entryAddress(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]:not([async])')?.src ?? ""
}
