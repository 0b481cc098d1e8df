import { useQuery } from "@tanstack/react-query"
import type { StatementLine } from "../../lib/api.gen.ts"
import { callQuery } from "../../lib/queries.ts"
import { useStanding } from "../../lib/standing.ts"
import type { Loadable } from "../../ui/Loaded.tsx"
import type { Coin } from "./search.ts"

export interface Movement {
  coin: Coin
  row: StatementLine
}

/** The last `most` movements of both statements as one answer, newest first; before they are `asked` for there are none. */
export function useMovements(most: number, asked = true): Loadable<Movement[]> {
  const usdt = useStanding(useQuery({ ...callQuery("/api/user/usdtLog", { size: most }), enabled: asked }))
  const kls = useStanding(useQuery({ ...callQuery("/api/user/klsLog", { size: most }), enabled: asked }))
  // What was kept from another visit and isn't asked for again would be called old without being seen.
  const data =
    asked && usdt.data && kls.data
      ? [...movementsOf("USDT", usdt.data.list), ...movementsOf("KLS", kls.data.list)]
          .sort((a, b) => b.row.time - a.row.time)
          .slice(0, most)
      : undefined
  return {
    data,
    error: usdt.error ?? kls.error,
    isFetching: usdt.isFetching || kls.isFetching,
    errorUpdateCount: usdt.errorUpdateCount + kls.errorUpdateCount,
    dataUpdatedAt: Math.min(usdt.dataUpdatedAt, kls.dataUpdatedAt),
    refetch: () => {
      void usdt.refetch()
      void kls.refetch()
    },
  }
}

const movementsOf = (coin: Coin, rows: readonly StatementLine[]): Movement[] =>
  rows.map((row) => ({ coin, row }))
