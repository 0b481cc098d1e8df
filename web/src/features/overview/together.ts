import type { Loadable } from "../../ui/Loaded.tsx"

/** What stands together on a screen, as one: as old as the oldest that is shown, failed if one has; asks for all anew. */
export function together(first: Loadable<unknown>, ...others: Loadable<unknown>[]): Loadable<unknown> {
  const shown = [first, ...others.filter(({ data }) => data !== undefined)]
  return {
    data: first.data,
    error: shown.find(({ error }) => error !== null)?.error ?? null,
    isFetching: shown.some(({ isFetching }) => isFetching),
    dataUpdatedAt: Math.min(...shown.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => {
      for (const { refetch } of shown) refetch()
    },
  }
}
