import { OPEN } from "../app/paths.ts"
import { LIGHT, putLook } from "../lib/look.ts"
import { wantedLanguage } from "../lib/offers.ts"
import { type Settings, storedToken } from "../lib/stored.ts"
import { tagOf } from "../lib/tags.ts"

/** What index.html draws before the page's code has come. */
export type Sketch = "login" | "home"

type Texts = Record<string, readonly string[] | undefined>

/** Which sketch the guard's way will lead to; null where none was drawn. */
export function sketchOf(
  { pathname, search }: Pick<Location, "pathname" | "search">,
  token: string | null,
): Sketch | null {
  if (token !== null) return pathname === "/" || pathname === "/home" ? "home" : null
  // Other parts of the door look otherwise.
  const asked = new URLSearchParams(search)
  if (pathname === "/login") return asked.has("view") || asked.has("freeze") ? null : "login"
  return OPEN.has(pathname) ? null : "login"
}

/** Put the chosen look and language on the page; at once, for even an empty page has a colour. */
export function putChoices(settings: Settings): void {
  putLook(settings, matchMedia(LIGHT).matches)
  document.documentElement.lang = tagOf(settings.language)
}

/** Show the sketch of what comes, in the chosen language. */
export function show(settings: Settings): void {
  const sketch = sketchOf(location, storedToken())
  const drawn = document.querySelector<HTMLElement>(`[data-sketch="${sketch}"]`)
  if (drawn === null) return
  // Other languages' texts for the marked parts, in their order, stand in the page itself.
  const texts: Texts = JSON.parse(document.querySelector("script[type$=json]")?.textContent ?? "{}")
  const spoken = texts[tagOf(settings.language)]
  document.querySelectorAll("[data-text]").forEach((part, index) => {
    part.textContent = spoken?.[index] ?? part.textContent
  })
  const demo = document.querySelector<HTMLMetaElement>('meta[name="kalos-mode"]')?.content === "demo"
  const offers =
    !settings.offered && settings.language === "en" && (wantedLanguage(navigator.languages) ?? "en") !== "en"
  const shown = (name: string, is: boolean) => {
    for (const part of drawn.querySelectorAll(`[data-${name}]`)) part.toggleAttribute("hidden", !is)
  }
  shown("demo", demo)
  shown("offer", offers)
  drawn.hidden = false
}
