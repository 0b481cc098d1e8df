import { QueryClient, QueryObserver } from "@tanstack/react-query"
import { expect, test, vi } from "vitest"
import { showBalances, withBalances } from "./account.ts"
import type { InfoAnswer } from "./api.gen.ts"
import { infoQuery } from "./queries.ts"

const USDT = { asset: "USDT", available: "10", held: "0" }
const KLS = { asset: "KLS", available: "5", held: "1" }
const INFO = { account: "10000001", balances: [USDT, KLS] } as InfoAnswer

test("a pushed balance takes the place of the old one and leaves the others", () => {
  const newer = { asset: "USDT", available: "7.5", held: "2.5" }
  expect(withBalances(INFO, [newer]).balances).toEqual([newer, KLS])
})

test("a coin that comes for the first time is added", () => {
  expect(withBalances({ ...INFO, balances: [USDT] }, [KLS]).balances).toEqual([USDT, KLS])
})

test("an answer that was on its way when balances were pushed takes them from nobody: it is asked for anew", async () => {
  vi.useFakeTimers()
  const client = new QueryClient()
  const { queryKey } = infoQuery()
  const says: ((info: InfoAnswer) => void)[] = []
  const queryFn = () => new Promise<InfoAnswer>((say) => void says.push(say))
  const push = async (...changed: (typeof USDT)[]) => {
    showBalances(client, changed)
    await vi.advanceTimersByTimeAsync(0)
    return client.getQueryData(queryKey)?.balances
  }
  const say = async (which: number, ...balances: (typeof USDT)[]) => {
    says[which]?.({ ...INFO, balances })
    await vi.advanceTimersByTimeAsync(0)
    return client.getQueryData(queryKey)?.balances
  }
  client.setQueryData(queryKey, INFO)
  new QueryObserver(client, { queryKey, queryFn, staleTime: 0 }).subscribe(() => undefined)
  const [newer, newest] = [
    { ...USDT, available: "7" },
    { ...USDT, available: "6" },
  ]
  expect(await push(newer)).toEqual([newer, KLS])
  expect(await say(0, USDT, KLS)).toEqual([newer, KLS])
  expect(await say(1, newer, KLS)).toEqual([newer, KLS])
  expect([await push(newest), says.length]).toEqual([[newest, KLS], 2])
})
