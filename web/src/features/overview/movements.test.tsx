import { afterEach, expect, test, vi } from "vitest"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { callQuery, queryClient } from "../../lib/queries.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { begins } from "./begins.ts"
import { Movements } from "./Movements.tsx"
import { Total } from "./Total.tsx"
import { together } from "./together.ts"
import { type Movement, useMovements } from "./useMovements.ts"

const finance = (total: string) => ({ total, change_24h: "0", history: [] as unknown }) as FinanceAnswer
const LOST: Movement = {
  coin: "USDT",
  row: {
    id: "7",
    kind: "game.stake",
    title: "Stake",
    amount: "-5",
    balance: "0",
    reference: "1",
    time: 1_763_740_800_000,
  } as Movement["row"],
}

let stage: Stage | undefined
afterEach(() => stage?.leave())

test("only who has nothing and never moved anything has yet to begin, as soon as it is known", () => {
  const asked = <Data,>(data: Data | undefined, error: Error | null = null) => ({ data, error })
  const failed = asked<never>(undefined, new Error("503"))
  expect(begins(asked(finance("0")), asked([]))).toBe(true)
  expect(begins(asked(finance("0")), asked([LOST]))).toBe(false)
  expect(begins(asked(finance("5")), asked<never>(undefined))).toBe(false)
  expect(begins(asked(finance("0")), asked<never>(undefined))).toBe(undefined)
  expect(begins(asked(finance("0")), failed)).toBe(false)
  expect(begins(asked<never>(undefined), asked([]))).toBe(undefined)
  expect(begins(failed, asked([]))).toBe(false)
})

const NOW = Date.now()
const query = (dataUpdatedAt: number, error: Error | null, data: unknown = []) => ({
  data,
  error,
  isFetching: false,
  dataUpdatedAt,
  refetch: vi.fn(),
})

test("figures that stand together are as old as the oldest, and are asked for together", () => {
  const [total, failed, never] = [query(NOW, null), query(NOW - 5, new Error("no")), query(0, null)]
  never.data = undefined
  const both = together(total, failed, never)
  expect(both.dataUpdatedAt).toBe(NOW - 5)
  expect(both.error).toBe(failed.error)
  both.refetch()
  expect([total, failed, never].map(({ refetch }) => refetch.mock.calls.length)).toEqual([1, 1, 0])
})

test("old movements stay under one mark, which stands at the total", async () => {
  const movements = { ...query(1_763_740_800_000, new Error("no answer")), data: [LOST] }
  const known = { ...query(NOW, null), data: finance("5") } as never
  stage = await show(
    <>
      <Total label="Total" finance={known} with={[movements]} />
      <Movements movements={movements} most={3} />
    </>,
  )
  expect(stage.text().match(/Not up to date/g)).toHaveLength(1)
  expect(stage.text()).toMatch(/Not up to date: as of .*Stake/)
  await stage.press(stage.get("button", "Try again"))
  expect(movements.refetch).toHaveBeenCalledOnce()
})

const Count = ({ asked }: { asked: boolean }) => <p>{useMovements(3, asked).data?.length ?? "none"}</p>

test("movements that another visit kept are none before they are asked for", async () => {
  for (const path of ["/api/user/usdtLog", "/api/user/klsLog"] as const)
    queryClient.setQueryData(callQuery(path, { size: 3 }).queryKey, { list: [LOST.row] } as never)
  stage = await show(
    <>
      <Count asked={false} />
      <Count asked />
    </>,
  )
  expect(stage.text()).toBe("none2")
})
