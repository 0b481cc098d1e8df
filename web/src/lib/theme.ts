import { getSettings, onSettings } from "./settings.ts"

const LIGHT = "(prefers-color-scheme: light)"

/** Put the chosen theme, price colours and stillness on the page, now and whenever they or the system change. */
export function startTheme(): void {
  const system = matchMedia(LIGHT)
  const apply = () => {
    const { theme, prices, still } = getSettings()
    const paper = theme === "paper" || (theme === "system" && system.matches)
    const root = document.documentElement
    root.dataset.theme = paper ? "paper" : "ink"
    root.dataset.updown = prices
    root.toggleAttribute("data-still", still)
    const colour = getComputedStyle(root).getPropertyValue("--bg").trim()
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute("content", colour)
  }
  apply()
  system.addEventListener("change", apply)
  onSettings(apply)
}

/** Whether things should move as little as possible: the system or the member wants it so. */
export function isStill(): boolean {
  return getSettings().still || matchMedia("(prefers-reduced-motion: reduce)").matches
}
