import { LIGHT, putLook } from "./look.ts"
import { getSettings, onSettings } from "./settings.ts"

/** Put the chosen theme, price colours and stillness on the page, now and whenever they or the system change. */
export function startTheme(): void {
  const system = matchMedia(LIGHT)
  let put = ""
  const apply = () => {
    const { theme, prices, still } = getSettings()
    const look = JSON.stringify([theme, prices, still, system.matches])
    // Other choices leave it as it is; to ask for a colour works out the whole page's styles.
    if (look === put) return
    put = look
    putLook(getSettings(), system.matches)
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--bg").trim()
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
