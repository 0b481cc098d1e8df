import type { QueryClient } from "@tanstack/react-query"
import type { Path } from "./calls.ts"

/** Between two answers that pushes ask for: a member may read twenty times a second, and a screen shows up to eight calls. */
const REST = 500

/** Of each call that rests: whether it was wanted again meanwhile. */
const resting = new WeakMap<QueryClient, Map<Path, boolean>>()

/**
 * Ask anew for what these calls have shown, however fast pushes come: at once, and where more came meanwhile once more
 * when the answer is there and a moment has passed. An answer that is on its way is never given up for the next one: on
 * a slow line none would ever come.
 */
export function askSoon(client: QueryClient, ...paths: readonly Path[]): void {
  const own = resting.get(client) ?? new Map<Path, boolean>()
  resting.set(client, own)
  for (const path of paths) {
    if (own.has(path)) own.set(path, true)
    else void askAndRest(client, own, path)
  }
}

async function askAndRest(client: QueryClient, own: Map<Path, boolean>, path: Path): Promise<void> {
  own.set(path, false)
  const answered = client.invalidateQueries({ queryKey: [path] })
  await Promise.all([answered, new Promise((done) => setTimeout(done, REST))])
  const again = own.get(path)
  own.delete(path)
  if (again) await askAndRest(client, own, path)
}
