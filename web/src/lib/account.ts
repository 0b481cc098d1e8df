import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import type { Balance, InfoAnswer } from "./api.gen.ts"
import { askSoon } from "./askSoon.ts"
import type { Path } from "./calls.ts"
import { useLive } from "./live.ts"
import { infoQuery } from "./queries.ts"

const MONEY_CALLS: readonly Path[] = [
  "/api/finance/userFinance",
  "/api/auth/income",
  "/api/user/usdtLog",
  "/api/user/klsLog",
  "/api/dapp/rechargeList",
  "/api/withdraw/index",
  "/api/withdraw/list",
]

/** Put pushed balances where they are shown, and ask anew for what follows from them. */
export function useAccountUpdates(): void {
  const client = useQueryClient()
  useLive("account", (push) => {
    showBalances(client, push.data as Balance[])
    askSoon(client, ...MONEY_CALLS)
  })
}

/** Put them in the places of the old ones, and see to it that no older answer takes these again. */
export function showBalances(client: QueryClient, changed: readonly Balance[]): void {
  const { queryKey } = infoQuery()
  // What is on its way may have been read before.
  if (client.isFetching({ queryKey }) > 0) askSoon(client, "/api/user/info")
  client.setQueryData(queryKey, (info) => info && withBalances(info, changed))
}

/** The same member with the changed balances in the places of the old ones. */
export function withBalances(info: InfoAnswer, changed: readonly Balance[]): InfoAnswer {
  const newest = new Map(changed.map((balance) => [balance.asset, balance]))
  const kept = info.balances.map((balance) => newest.get(balance.asset) ?? balance)
  const added = changed.filter(({ asset }) => !info.balances.some((balance) => balance.asset === asset))
  return { ...info, balances: [...kept, ...added] }
}
