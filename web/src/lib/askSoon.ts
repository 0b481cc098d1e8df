import type { QueryClient } from "@tanstack/react-query"
import type { Path } from "./calls.ts"

/** After an answer that pushes asked for: a member may read twenty times a second, and a screen shows up to eight calls. */
const REST = 500
/** An answer that isn't there by then keeps nobody waiting any more. */
const LONGEST = 5_000

/** Of each call that is asked for or rests: whether it was wanted again meanwhile. */
const resting = new WeakMap<QueryClient, Map<Path, boolean>>()

/**
 * Ask anew for what these calls have shown, however fast pushes come: at once, and where more came meanwhile once more
 * when the answer is there and a moment has passed. An answer that is on its way isn't given up for the next one: on a
 * slow line none would ever come.
 */
export function askSoon(client: QueryClient, ...paths: readonly Path[]): void {
  const own = resting.get(client) ?? new Map<Path, boolean>()
  resting.set(client, own)
  for (const path of paths) {
    if (own.has(path)) own.set(path, true)
    else void askAndRest(client, own.set(path, true), path)
  }
}

async function askAndRest(client: QueryClient, own: Map<Path, boolean>, path: Path): Promise<void> {
  while (own.get(path)) {
    // Several parts of a page hear one push: together they want it once.
    await null
    own.set(path, false)
    await Promise.race([client.invalidateQueries({ queryKey: [path] }), after(LONGEST)])
    await after(REST)
  }
  own.delete(path)
}

const after = (time: number) => new Promise<void>((done) => setTimeout(done, time))
