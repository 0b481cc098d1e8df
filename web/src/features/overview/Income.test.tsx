import { afterEach, expect, test, vi } from "vitest"
import { incomeQuery, queryClient } from "../../lib/queries.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { Income } from "./Income.tsx"

let stage: Stage
afterEach(async () => {
  await stage.leave()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const of = (total: string) => ({ game: total, total })
const chosen = () => document.querySelector("label:has(:checked)")?.textContent

test("the span of the income stands in the address, beside what else does", async () => {
  // It takes its time: what stands was kept.
  vi.stubGlobal("fetch", () => new Promise(() => {}))
  queryClient.setQueryData(incomeQuery().queryKey, {
    today: of("1.000000"),
    yesterday: of("2.000000"),
    total: of("3.000000"),
    price_source: { asset: "KLS", price: "0.5", at: 1, source: "ref_first" },
  } as never)
  stage = await show(<Income />, "/node1?tab=income&span=yesterday")
  expect([chosen(), stage.text().includes("+2.00")]).toEqual(["Yesterday", true])
  await stage.press(stage.get("label:has([type=radio])", "All time"))
  expect([chosen(), stage.text().includes("+3.00")]).toEqual(["All time", true])
  expect(stage.router.state.location.href).toBe("/node1?tab=income&span=total")
})
