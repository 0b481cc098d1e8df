import { useQueryClient } from "@tanstack/react-query"
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
    const changed = push.data as Balance[]
    client.setQueryData(infoQuery().queryKey, (info) => info && withBalances(info, changed))
    askSoon(client, ...MONEY_CALLS)
  })
}

/** The same member with the changed balances in the places of the old ones. */
export function withBalances(info: InfoAnswer, changed: readonly Balance[]): InfoAnswer {
  const newest = new Map(changed.map((balance) => [balance.asset, balance]))
  const kept = info.balances.map((balance) => newest.get(balance.asset) ?? balance)
  const added = changed.filter(({ asset }) => !info.balances.some((balance) => balance.asset === asset))
  return { ...info, balances: [...kept, ...added] }
}
