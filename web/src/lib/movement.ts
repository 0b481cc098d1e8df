import { isStill } from "./theme.ts"

/** How the page scrolls by itself: at once for whoever wants no movement, as styles don't reach what a script asks for. */
export function movement(): ScrollBehavior {
  return isStill() ? "instant" : "smooth"
}
