import { act } from "react"
import { expect, test, vi } from "vitest"
import type { ChainShape } from "../../lib/api.gen.ts"
import { serverNow } from "../../lib/clock.ts"
import { infoQuery, queryClient } from "../../lib/queries.ts"
import { startTexts } from "../../lib/texts.ts"
import { formatDateTime } from "../../lib/time.ts"
import { NOW, pass } from "../../testing/clock.ts"
import type { Stage } from "../../testing/stage.tsx"
import { addressThatWaits, stageWaiting } from "../../testing/waiting.ts"
import { AddAddress } from "./AddAddress.tsx"
import { BookEntry } from "./BookEntry.tsx"
import type { BookRow } from "./queries.ts"

const HOUR = 3_600_000
const row: BookRow = { ...addressThatWaits(23 * HOUR), last_used_at: null }
const nothing = () => undefined
const { show } = stageWaiting()

const use = (stage: Stage) => stage.get("button", "Use My wallet") as HTMLButtonElement
/** What a reader says of the button that chooses it. */
const why = (stage: Stage) =>
  document.getElementById(use(stage).getAttribute("aria-describedby") ?? "")?.textContent

test("an address that waits says for how long, and can't be chosen before", async () => {
  const picked = vi.fn()
  const stage = await show(
    <BookEntry row={row} network="Ethereum" newest onPick={picked} onRemove={nothing} />,
  )
  expect(stage.text()).toContain("Usable in 23:00:00")
  expect([use(stage).disabled, why(stage)]).toEqual([
    true,
    `It can be used from ${formatDateTime(row.usable_at)}`,
  ])
  await stage.press(use(stage))
  await pass(1000)
  expect(stage.text()).toContain("Usable in 22:59:59")
  await act(async () => vi.setSystemTime(NOW + 23 * HOUR - 1000))
  await pass(999)
  expect(use(stage).disabled).toBe(true)
  await pass(1001)
  expect([serverNow() >= row.usable_at, use(stage).disabled, why(stage)]).toEqual([true, false, undefined])
  expect(stage.text()).not.toContain("Usable in")
  expect(stage.text()).toContain("Usable")
  expect(picked).not.toHaveBeenCalled()
  await stage.press(use(stage))
  expect(picked).toHaveBeenCalledOnce()
})

test("the book says of a waiting address for how long, also where none is chosen", async () => {
  const stage = await show(<BookEntry row={row} network="Ethereum" newest={false} onRemove={nothing} />)
  expect(stage.text()).toContain("Usable in 23:00:00")
  expect(stage.text()).not.toContain("Use My wallet")
})

test.each([
  [24, "It can be used 24 hours after it was added."],
  [1, "It can be used 1 hour after it was added."],
  [0, "It can be used at once."],
])("who adds an address that waits %s h reads so before it is sent", async (waitHours, said) => {
  await startTexts()
  queryClient.setQueryData(infoQuery().queryKey, { email: "a@example.com", google_bound: true } as never)
  const chain = { chain_id: 1, name: "Ethereum", protocol: "ERC-20" } as ChainShape
  const stage = await show(<AddAddress chain={chain} waitHours={waitHours} known={[]} onDone={nothing} />)
  expect(stage.text()).toContain(said)
  expect(stage.text().match(/It can be used/g)).toHaveLength(1)
})
