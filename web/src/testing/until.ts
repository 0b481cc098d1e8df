import { act } from "react"

const MOST_TURNS = 5000

/** Let the page go on until it is so. Turns of the loop are the page's own: what comes in one is drawn in it, and timers may stand. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn++) {
    if (turn > MOST_TURNS) throw new Error(`it never came: ${document.body.textContent}`)
    await act(() => new Promise<void>((done) => void setImmediate(done)))
  }
}
