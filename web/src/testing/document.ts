import type { Environment } from "vitest/runtime"

/** Of tests that need a document: `setup.ts` makes each file its own, here it would be one for all. */
export default {
  name: "document",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment
