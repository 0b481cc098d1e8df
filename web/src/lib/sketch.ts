import { amountParts, HERO_MOST } from "./notation.ts"
import { getSettings } from "./settings.ts"

/**
 * Put the balance into home's sketch, as the screen writes it: on a slow line it is there before the code that draws the
 * screen. What comes later takes the place of what stands there; who hides amounts sees none here either.
 */
export function drawTotal(total: string): void {
  const figure = document.querySelector("[data-sketch=home] [data-total]")
  const rest = figure?.lastElementChild
  if (!figure || !rest || getSettings().hide) return
  const { sign, whole, decimals } = amountParts(total)
  // The screen gives it another size.
  if ((sign + whole + decimals).length > HERO_MOST) return
  rest.replaceChildren(decimals)
  figure.replaceChildren(sign + whole, rest)
  figure.previousElementSibling?.setAttribute("hidden", "")
  figure.removeAttribute("hidden")
}
