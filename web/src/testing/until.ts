import { act } from "react"

const MOST_TURNS = 5000
/** Sealing is done beside the page's loop, and turns pass quickly while it waits for a processor. */
const LEAST_NS = 15_000_000_000n

/** Let the page go on until it is so. Turns of the loop are the page's own: what comes in one is drawn in it, and timers may stand. */
export async function until(isSo: () => boolean): Promise<void> {
  const ends = process.hrtime.bigint() + LEAST_NS
  for (let turn = 0; !isSo(); turn++) {
    if (turn > MOST_TURNS && process.hrtime.bigint() > ends)
      throw new Error(`it never came: ${document.body.textContent}`)
    await act(() => new Promise<void>((done) => void setImmediate(done)))
  }
}
