import { type MouseEvent, useState } from "react"

/** So long after the first press of a double one the second may come. */
const DOUBLE_MS = 500

/**
 * Whether this is the second of a double press, whose first has brought what is pressed under the finger. Keys (their
 * clicks count none) are never: the focus isn't there yet.
 */
export function useDouble(): (press?: MouseEvent) => boolean {
  const [appeared] = useState(() => performance.now())
  return (press) => press?.detail !== 0 && performance.now() - appeared < DOUBLE_MS
}
