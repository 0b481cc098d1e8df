import { amountParts } from "./notation.ts"
import { getSettings } from "./settings.ts"

/**
 * Put the balance into home's sketch, as the screen writes it: on a slow line the answer is there before the code that
 * draws the screen. Once, and who hides amounts sees none here either.
 */
export function drawTotal(total: string): void {
  const figure = document.querySelector("[data-sketch=home] [data-total][hidden]")
  if (figure === null || getSettings().hide) return
  const { sign, whole, decimals } = amountParts(total)
  figure.prepend(sign + whole)
  figure.lastElementChild?.replaceChildren(decimals)
  figure.previousElementSibling?.setAttribute("hidden", "")
  figure.removeAttribute("hidden")
}
