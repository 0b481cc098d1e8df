import { type BaseRecord, useInfiniteList } from "@refinedev/core"

export interface Listed<T> {
  rows: readonly T[] | undefined
  problem: Error | null
  again: () => void
  more: (() => void) | null
  busy: boolean
}

/** The rows of a list, page after page; `every`: asked again after so many milliseconds. */
export function useRows<T extends BaseRecord>(
  resource: string,
  filter: object = {},
  every?: number,
): Listed<T> {
  const { query } = useInfiniteList<T>({
    resource,
    meta: { filter },
    errorNotification: false,
    ...(every === undefined ? {} : { queryOptions: { refetchInterval: every } }),
  })
  return {
    rows: query.data?.pages.flatMap(({ data }) => data),
    problem: query.error as Error | null,
    again: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    busy: query.isFetchingNextPage,
  }
}
