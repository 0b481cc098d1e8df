import { useQueryClient } from "@tanstack/react-query"
import { useLive } from "./live.ts"
import { infoQuery } from "./queries.ts"
import type { Balance, Info } from "./shapes.ts"

const MONEY_CALLS = ["finance/userFinance", "user/usdtLog", "user/klsLog", "dapp/rechargeList"] as const

/** Put pushed balances where they are shown, and ask anew for what follows from them. */
export function useAccountUpdates(): void {
  const client = useQueryClient()
  useLive("account", (push) => {
    const changed = push.data as Balance[]
    client.setQueryData(infoQuery().queryKey, (info) => info && withBalances(info, changed))
    for (const path of MONEY_CALLS) void client.invalidateQueries({ queryKey: [path] })
  })
}

/** The same member with the changed balances in the places of the old ones. */
export function withBalances(info: Info, changed: readonly Balance[]): Info {
  const newest = new Map(changed.map((balance) => [balance.asset, balance]))
  const kept = info.balances.map((balance) => newest.get(balance.asset) ?? balance)
  const added = changed.filter(({ asset }) => !info.balances.some((balance) => balance.asset === asset))
  return { ...info, balances: [...kept, ...added] }
}
