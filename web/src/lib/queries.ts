import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryCache,
  QueryClient,
  type QueryFilters,
  queryOptions,
} from "@tanstack/react-query"
import { type Body, call, type Data, type Path, Refusal, SESSION_ENDED } from "./api.ts"
import { askingAgain } from "./askingAgain.ts"
import type { Page } from "./calls.ts"
import { firstCalls } from "./firstCalls.ts"
import { FRESH } from "./fresh.ts"
import { onReturn } from "./network.ts"
import { warn } from "./notices.ts"
import { getToken, onForget } from "./session.ts"
import { getSettings, onSettings } from "./settings.ts"
import { entryOfPage } from "./version.ts"

const KEPT = 5 * 60_000
const PAGE_SIZE = 10
const KEPT_PATIENCE = 300
const FIRST_PATIENCE = 150

/** One cache for the page; it belongs to one session and is emptied with it. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended was told by the call itself.
    onError: (problem) => {
      if (problem instanceof Refusal && problem.code !== SESSION_ENDED)
        warn(problem.message, { seldom: true })
    },
  }),
  defaultOptions: {
    queries: { ...askingAgain.queries, gcTime: KEPT, staleTime: FRESH },
    mutations: askingAgain.mutations,
  },
})
onForget(() => queryClient.clear())

/** Show what this member last saw on this device, and keep it from now on; waits a moment for it, not longer. */
export function startKeeping(): Promise<unknown> {
  const kept = Promise.all([import("./kept.ts"), import("./store.ts")]).then(
    ([{ keepAnswers }, { DeviceStore }]) => keepAnswers(queryClient, new DeviceStore(), entryOfPage()),
  )
  // Without its store the page only shows less while it is offline.
  return Promise.race([kept.catch(() => undefined), new Promise((done) => setTimeout(done, KEPT_PATIENCE))])
}

// What failed while the server was away is asked for again when it is back.
onReturn(() => void queryClient.invalidateQueries())

let language = getSettings().language
onSettings((settings) => {
  if (settings.language === language) return
  language = settings.language
  // Answers hold the server's sentences. What never gets stale, a captcha that is being typed, holds none.
  const spoken: QueryFilters = {
    predicate: ({ options }) => "staleTime" in options && options.staleTime !== Number.POSITIVE_INFINITY,
  }
  // A first answer that is still on its way isn't asked for anew by itself.
  void queryClient.cancelQueries(spoken)
  void queryClient.invalidateQueries(spoken)
})

/** The query of a call: cached under its path and body. Failures show in the part that asked, a refusal as a toast besides. */
export function callQuery<P extends Path>(path: P, body: Body<P>) {
  return queryOptions({ queryKey: [path, body], queryFn: () => call(path, body, { untold: true }) })
}

/**
 * Take what the page asked ahead for its member; waits a moment for it, not longer. On a slow line it has come before
 * the page's code: then the first screen stands with its figures at once, and isn't drawn twice.
 */
export function takeFirst(): Promise<unknown> {
  const token = getToken()
  // Without a session it is a door's picture, which belongs to its form.
  const paths = token === null ? [] : firstCalls(location.pathname, token)
  const taken = Promise.all(
    paths.map(async (path) => {
      await queryClient.prefetchQuery(callQuery(path, {}))
      if (path === "/api/finance/userFinance") await drawInSketch(token)
    }),
  )
  return Promise.race([taken, new Promise((done) => setTimeout(done, FIRST_PATIENCE))])
}

/** Where the page's first try had failed, the screen's code may still be on its way when a later one succeeds. */
async function drawInSketch(token: string | null): Promise<void> {
  const total = queryClient.getQueryData(financeQuery().queryKey)?.total
  // Without its code the sketch only shows less.
  const { drawTotal } = await import("./sketch.ts").catch(() => ({ drawTotal: null }))
  if (total !== undefined && token === getToken()) drawTotal?.(total)
}

/** Ask anew for everything that these calls have shown. */
export function askAnew(client: QueryClient, ...paths: Path[]): void {
  for (const path of paths) void client.invalidateQueries({ queryKey: [path] })
}

type RowOf<P extends Path> = Data<P> extends Page<infer Row> ? Row : never
type ListPath = { [P in Path]: Data<P> extends Page<unknown> ? P : never }[Path]

/** The endless query of a paged call: ten rows a page, each page after the last one's `next`. */
export function pagesQuery<P extends ListPath>(path: P, body: Omit<Body<P>, "size" | "after">) {
  return infiniteQueryOptions({
    queryKey: [path, "pages", body],
    queryFn: async ({ pageParam }) => {
      const asked = { ...body, size: PAGE_SIZE, ...(pageParam ? { after: pageParam } : {}) }
      return (await call(path, asked as Body<P>, { untold: true })) as Page<RowOf<P>>
    },
    initialPageParam: "",
    getNextPageParam: (last: Page<RowOf<P>>) => (last.list.length < PAGE_SIZE ? undefined : last.next),
  })
}

export function rowsOf<Row>(data: InfiniteData<Page<Row>> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.list) ?? []
}

export const infoQuery = () => callQuery("/api/user/info", {})
export const financeQuery = () => callQuery("/api/finance/userFinance", {})
export const incomeQuery = () => callQuery("/api/auth/income", {})
