import { act } from "react"
import { afterEach, beforeAll, expect, test, vi } from "vitest"
import { soon } from "../../testing/soon.ts"
import { type Stage, show } from "../../testing/stage.tsx"
import { DateFilter } from "./DateFilter.tsx"

let stage: Stage
const changed = vi.fn()

beforeAll(() => import("../../ui/SheetPanel.tsx"))
afterEach(async () => {
  await stage.leave()
  changed.mockClear()
})

const settles = (check: () => void) => soon(() => act(async () => check()))
const open = async () => {
  await stage.press(stage.get("button", /^Dates:/))
  await settles(() => expect(stage.count("[role=dialog]")).toBe(1))
}
const field = (side: string, part: string) =>
  [...document.querySelectorAll("fieldset")]
    .find((one) => one.querySelector("legend")?.textContent === side)
    ?.querySelector(`[aria-label=${part}]`) as HTMLInputElement
const put = async (side: string, [year, month, day]: [string, string, string]) => {
  await stage.type(field(side, "Year"), year)
  const months = field(side, "Month") as unknown as HTMLSelectElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(months, month)
    months.dispatchEvent(new Event("change", { bubbles: true }))
  })
  for (let typed = 1; typed <= day.length; typed++) await stage.type(field(side, "Day"), day.slice(0, typed))
}

test("days are typed in peace, and count with Show, which takes the sheet's step back", async () => {
  stage = await show(<DateFilter from={undefined} to={undefined} onChange={changed} />)
  await open()
  const index = stage.router.state.location.state.__TSR_index
  await put("From", ["2026", "11", "02"])
  await put("To", ["2026", "11", "25"])
  expect([changed.mock.calls.length, stage.count("[role=dialog]")]).toEqual([0, 1])
  await stage.press(stage.get("button", "Show"))
  await settles(() => expect(changed.mock.calls).toEqual([[{ from: "2026-11-02", to: "2026-11-25" }]]))
  await settles(() => expect(stage.router.state.location.state.__TSR_index).toBe(index - 1))
})

test("days that can't be stay where they are typed, and Back leaves the list as it was", async () => {
  stage = await show(<DateFilter from="2026-11-10" to={undefined} onChange={changed} />)
  await open()
  await put("To", ["2026", "11", "09"])
  await stage.press(stage.get("button", "Show"))
  expect([changed.mock.calls.length, stage.text().includes("Not before")]).toEqual([0, true])
  await act(async () => stage.router.history.back())
  await settles(() => expect(stage.count("[role=dialog]")).toBe(0))
  await open()
  expect([field("From", "Day").value, field("To", "Day").value]).toEqual(["10", ""])
  expect(changed).not.toHaveBeenCalled()
})
