import type { Settings } from "./stored.ts"

export const LIGHT = "(prefers-color-scheme: light)"

/** Put theme, price colours and stillness on the page; `light`: the system's own choice. */
export function putLook({ theme, prices, still }: Settings, light: boolean): void {
  const root = document.documentElement
  root.dataset.theme = theme === "paper" || (theme === "system" && light) ? "paper" : "ink"
  root.dataset.updown = prices
  root.toggleAttribute("data-still", still)
}
