import { queryClient } from "./queries.ts"

const SHORTEST_MS = 600

/** Ask anew for all that the page shows; takes long enough to be seen. */
export async function refresh(): Promise<void> {
  const shown = new Promise((done) => setTimeout(done, SHORTEST_MS))
  await Promise.all([queryClient.refetchQueries({ type: "active" }), shown])
}
