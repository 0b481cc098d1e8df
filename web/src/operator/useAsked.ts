import { type BaseRecord, useCustom } from "@refinedev/core"

interface Options {
  /** What is asked about. */
  about?: object
  /** Asked again after so many milliseconds. */
  every?: number
  /** Asked anew each time that it is shown: what another person did a moment ago may have made it another. */
  anew?: boolean
}

/** What a call answers that gives everything at once. */
export function useAsked<T extends BaseRecord>(
  name: string,
  { about = {}, every, anew = false }: Options = {},
) {
  const { query } = useCustom<T>({
    url: name,
    method: "post",
    errorNotification: false,
    config: { payload: about },
    queryOptions: {
      queryKey: [name, about],
      ...(every === undefined ? {} : { refetchInterval: every }),
      ...(anew && { gcTime: 0, staleTime: 0 }),
    },
  })
  return { data: query.data?.data, problem: query.error as Error | null, again: () => void query.refetch() }
}
