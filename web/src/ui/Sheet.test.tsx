import { act, useState } from "react"
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { soon } from "../testing/soon.ts"
import { type Stage, show } from "../testing/stage.tsx"
import { OutsideButton } from "./OutsideButton.tsx"
import { Sheet, useSheet } from "./Sheet.tsx"

let stage: Stage
let drop: () => void
let detail: ReturnType<typeof useSheet>

function List() {
  const [opened, setOpened] = useState<string | null>(null)
  drop = () => setOpened(null)
  detail = useSheet("detail", opened !== null)
  const open = () => {
    setOpened("a row")
    detail.show()
  }
  return (
    <>
      <button type="button" onClick={open}>
        Open
      </button>
      {opened && <Detail row={opened} />}
    </>
  )
}

const Detail = ({ row }: { row: string }) => (
  <Sheet sheet={useSheet("detail")} title="Detail">
    {row}
    <OutsideButton href="https://explorer.example/tx/7">Explorer</OutsideButton>
  </Sheet>
)

// The sheet's own code comes later than the page.
beforeAll(() => import("./SheetPanel.tsx"))
beforeEach(async () => {
  stage = await show(<List />)
})
afterEach(() => stage.leave())

const place = () => stage.router.state.location.state
const step = (where: () => void) => act(async () => where())
const settles = (check: () => void) => soon(() => act(async () => check()))

test("a sheet whose row is known opens and stays; Back closes it", async () => {
  await stage.press(stage.get("button", "Open"))
  await settles(() => expect(stage.get("[role=dialog]").textContent).toContain("a row"))
  await step(() => stage.router.history.back())
  await settles(() => expect([place().sheet, stage.count("[role=dialog]")]).toEqual([undefined, 0]))
})

test("the step of a sheet whose row nobody knows any more is taken back, by itself and once", async () => {
  await stage.press(stage.get("button", "Open"))
  await settles(() => expect(place().sheet).toBe("detail"))
  const before = place().__TSR_index
  // As after a reload, which keeps the history and forgets the row.
  await step(drop)
  await settles(() => expect(place().sheet).toBeUndefined())
  expect(place().__TSR_index).toBe(before - 1)
  await step(() => stage.router.history.forward())
  await settles(() => expect(place().__TSR_index).toBe(before - 1))
  await settles(() => expect(place().sheet).toBeUndefined())
})

async function openBoth(): Promise<void> {
  await stage.press(stage.get("button", "Open"))
  await settles(() => stage.get("button", "Explorer"))
  await stage.press(stage.get("button", "Explorer"))
  await settles(() => expect(stage.count("[role=dialog]")).toBe(2))
}

test("a link to another site asks on top of its sheet, and Back leads to that sheet", async () => {
  await openBoth()
  expect(stage.text()).toContain("You leave Kalos")
  await step(() => stage.router.history.back())
  await settles(() => expect(stage.count("[role=dialog]")).toBe(1))
  expect([place().sheet, stage.text()]).toEqual(["detail", expect.stringContaining("a row")])
})

test("with its row a sheet loses what stands on it too", async () => {
  await openBoth()
  const before = place().__TSR_index
  await step(drop)
  await settles(() => expect(place().__TSR_index).toBe(before - 2))
  expect(place().sheet).toBeUndefined()
})

/** A browser that goes back only when it `arrives`, and then as often as it was asked. */
function lateBrowser() {
  const { history } = stage.router
  const back = history.back
  const browser = { asked: 0, arrives: () => step(carryOut) }
  let wishes = 0
  const carryOut = () => {
    for (; wishes > 0; wishes--) back()
  }
  history.back = () => {
    browser.asked += 1
    wishes += 1
  }
  return browser
}

test("whoever closes a sheet and however often, one step is taken back for it", async () => {
  await stage.press(stage.get("button", "Open"))
  await settles(() => stage.get("[role=dialog]"))
  const before = place().__TSR_index
  const browser = lateBrowser()
  await step(() => {
    detail.hide()
    stage.get("button", "Close").click()
  })
  await step(drop)
  await settles(() => expect(detail.shown).toBe(true))
  await step(detail.hide)
  await browser.arrives()
  await settles(() => expect(place().sheet).toBeUndefined())
  await step(detail.hide)
  expect([place().__TSR_index, browser.asked]).toEqual([before - 1, 1])
})

test("two sheets closed in one moment both go, one step after the other", async () => {
  await openBoth()
  const before = place().__TSR_index
  const browser = lateBrowser()
  await step(() => {
    for (const close of document.querySelectorAll<HTMLElement>("[aria-label=Close]")) close.click()
  })
  expect(browser.asked).toBe(1)
  await browser.arrives()
  await settles(() => expect(browser.asked).toBe(2))
  await browser.arrives()
  await settles(() => expect([place().sheet, stage.count("[role=dialog]")]).toEqual([undefined, 0]))
  expect(place().__TSR_index).toBe(before - 2)
})

test("a sheet that is opened while another goes stands on the page, not on a place that is left", async () => {
  await stage.press(stage.get("button", "Open"))
  await settles(() => stage.get("[role=dialog]"))
  const { length } = stage.router.history
  const { __TSR_key: key, __TSR_index: index } = place()
  const browser = lateBrowser()
  await step(() => {
    detail.hide()
    detail.show()
  })
  await browser.arrives()
  await settles(() => expect([place().sheet, place().__TSR_index]).toEqual(["detail", index]))
  expect(place().__TSR_key).not.toBe(key)
  expect(stage.router.history.length).toBe(length)
})
