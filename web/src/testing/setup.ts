import { afterAll, expect } from "vitest"
import { begin } from "./fresh.ts"

// To start a process, and to load what makes documents, takes longer than most files take: files share both.
const END = Symbol.for("kalos.testing.end")
const shared = globalThis as { [END]?: () => Promise<void> }

async function end(): Promise<void> {
  const last = shared[END]
  delete shared[END]
  await last?.()
}

// A file none of whose tests is run ends without its hooks.
await end()
shared[END] = await begin({ hasDocument: expect.getState().environment === "document" })
afterAll(end)
