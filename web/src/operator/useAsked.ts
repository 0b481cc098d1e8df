import { type BaseRecord, useCustom } from "@refinedev/core"

interface Options {
  /** What is asked about. */
  about?: object
  /** Asked again after so many milliseconds. */
  every?: number
}

/** What a call answers that gives everything at once. */
export function useAsked<T extends BaseRecord>(name: string, { about = {}, every }: Options = {}) {
  const { query } = useCustom<T>({
    url: name,
    method: "post",
    errorNotification: false,
    config: { payload: about },
    queryOptions: { queryKey: [name, about], ...(every === undefined ? {} : { refetchInterval: every }) },
  })
  return { data: query.data?.data, problem: query.error as Error | null, again: () => void query.refetch() }
}
