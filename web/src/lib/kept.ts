import { hashKey, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query"
import { type Answer, isSame, newest, open, seal } from "./keptRecord.ts"
import { getToken, onForget } from "./session.ts"
import type { Store } from "./store.ts"

// What a member last saw, for when there is no network. Why so: docs/decisions/0019-pwa.md.

const SAVE_AFTER = 500
const MOST_TRIES = 10

/** Balances, what stands on the home screen, and the beginnings of lists. Nothing that opens a door or proves a person. */
const KEPT: ReadonlySet<string> = new Set([
  "/api/user/info",
  "/api/finance/userFinance",
  "/api/auth/income",
  "/api/basic/banner",
  "/api/basic/bulletin",
  "/api/basic/bulletinList",
  "/api/basic/news",
  "/api/dapp/rechargeList",
  "/api/game/orderList",
  "/api/recharge/list",
  "/api/transfer/transferList",
  "/api/withdraw/list",
])
const STATEMENT = /^\/api\/user\/(?!security)[A-Za-z]+Log$/

/** Keep what `client` is answered for the present session's member; ends when what was kept is there. */
export async function keepAnswers(client: QueryClient, store: Store, build: string): Promise<void> {
  const kept = new Map<string, Answer>()
  const cache = client.getQueryCache()
  let timer: ReturnType<typeof setTimeout> | undefined
  let forgotten = 0

  /** Put what this page was answered beside what other tabs put there; who comes between two of them tries again. */
  const save = async () => {
    clearTimeout(timer)
    timer = undefined
    const token = getToken()
    const began = forgotten
    for (let tries = 0; token !== null && tries < MOST_TRIES; tries++) {
      const before = await store.read()
      const rows = merged((await opened(token, build, before)) ?? [], [...kept.values()])
      if (rows.length === 0) return
      const record = await seal(token, build, rows)
      // The session may have ended meanwhile, or the store been wiped.
      if (token !== getToken() || began !== forgotten) return
      if (await store.write(record, (present) => isSame(present, before))) return
    }
  }
  // A store that is full or forbidden keeps nothing; the page goes on.
  const saveIfPossible = () => void save().catch(() => undefined)

  const fill = (query: Query) => {
    const answer = kept.get(query.queryHash)
    if (answer === undefined || query.state.data !== undefined) return
    client.setQueryData(query.queryKey, answer.data, { updatedAt: answer.at })
    query.invalidate() // a page that is loaded again asks again, however young the answer is
  }
  onForget(() => {
    clearTimeout(timer)
    timer = undefined
    forgotten++
    kept.clear()
    return store.wipe()
  })
  cache.subscribe((event) => {
    const { query } = event
    if (!isKept(query.queryKey)) return
    if (event.type === "added") fill(query)
    if (event.type !== "updated" || event.action.type !== "success") return
    const { data, dataUpdatedAt: at } = query.state
    if (kept.get(query.queryHash)?.at === at) return
    kept.set(query.queryHash, { key: query.queryKey, data: beginning(data), at })
    timer ??= setTimeout(saveIfPossible, SAVE_AFTER)
  })
  // Whoever goes to another app may not come back to this page.
  document.addEventListener("visibilitychange", () => timer !== undefined && saveIfPossible())

  const token = getToken()
  const rows = token === null ? null : await opened(token, build, await store.read())
  if (rows === null) await store.wipe()
  if (token !== getToken()) return
  for (const row of rows ?? []) {
    const hash = hashKey(row.key)
    if (!kept.has(hash)) kept.set(hash, row)
  }
  cache.getAll().forEach(fill)
}

/** What is still to be shown of the record; null where that is nothing. */
async function opened(token: string, build: string, record: unknown): Promise<Answer[] | null> {
  const rows = newest((await open(token, build, record)) ?? [])
  return rows.length > 0 ? rows : null
}

const isKept = ([path]: QueryKey): boolean =>
  typeof path === "string" && (KEPT.has(path) || STATEMENT.test(path))

/** Of a list only the first page. */
function beginning(data: unknown): unknown {
  const { pages, pageParams } = (data ?? {}) as { pages?: unknown[]; pageParams?: unknown[] }
  return Array.isArray(pages) && Array.isArray(pageParams)
    ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
    : data
}

/** Of each answer the newest. */
function merged(...all: readonly (readonly Answer[])[]): Answer[] {
  const found = new Map<string, Answer>()
  for (const answer of all.flat()) {
    const hash = hashKey(answer.key)
    if (answer.at >= (found.get(hash)?.at ?? 0)) found.set(hash, answer)
  }
  return newest([...found.values()])
}
