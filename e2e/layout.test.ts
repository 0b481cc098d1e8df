/** Where things stand: nothing moves under a finger once it is there, and the tabs are where a hand is. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { logIn, tokenOf } from "./support/people.ts"
import { built, OPEN } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const MOST_SHIFTED = 0.02
/** A machine that stands still in the middle of one load draws in pieces what is otherwise drawn at once. */
const LOADS = process.env.KALOS_SOAK ? 1 : 3
/** Widths and heights, and whether the tabs stand at the side. */
const WINDOWS: [number, number, boolean][] = [
  [390, 844, false],
  [844, 390, true],
  [768, 1024, true],
  [1440, 900, true],
]

const { product, browser, phone, page } = await useProduct({ dark: false })
// With both coins and some movements. No other file asks much for it: a member may ask twenty times a second.
await page.goto(`${product.url}/login`)
await logIn(page, product, "10000002", "demo1234")
await page.waitForURL(`${product.url}/home`)
const token = await tokenOf(page, product)

test("screens in the light theme, none of which moves what stands on it already", async () => {
  const visitor = await Phone.open(browser, { dark: false })
  const behind = built.filter((path) => !(OPEN as readonly string[]).includes(path))
  const { list } = await product.call("/api/basic/bulletinList", { size: 1 }, token)
  const moved = [
    ...(await movedOn(phone, [...behind, `/bulletin-detail?id=${list[0]?.id}`, "/no-such-place"])),
    ...(await movedOn(visitor, OPEN)),
  ]
  assert.deepEqual(moved, [])
  await visitor.context.close()
})

test("a wide window has the tabs beside the column, a phone under it", async () => {
  const desk = await Phone.open(browser)
  await desk.context.addInitScript((value) => localStorage.setItem("kalos.token", value), token)
  for (const [width, height, rail] of WINDOWS) {
    await desk.page.setViewportSize({ width, height })
    await desk.page.goto(`${product.url}/home`)
    const tabs = desk.page.getByRole("navigation", { name: "Main" })
    await tabs.waitFor()
    assert.equal(await tabs.count(), 1)
    assert.deepEqual(await tabs.getByRole("link").allInnerTexts(), ["Home", "Play", "Assets", "Me"])
    const bar = await tabs.boundingBox()
    const column = await desk.page.getByRole("main").boundingBox()
    assert.ok(bar && column && column.width <= 430)
    assert.equal(bar.x + bar.width <= column.x, rail, `${width} px`)
    assert.ok((await desk.page.evaluate(() => document.documentElement.scrollWidth)) <= width)
    if (width >= 1200) await desk.page.getByText("A ledger you can check").waitFor()
    await desk.shot(`home-${width}`)
  }
  await desk.context.close()
})

/** The screens on which something moved that stood there already. */
async function movedOn({ page }: Phone, paths: readonly string[]): Promise<string[]> {
  await page.addInitScript(() => {
    const seen = Object.assign(window, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shifted += entry.value
    }).observe({ type: "layout-shift", buffered: true })
  })
  const moved: string[] = []
  for (const path of paths) {
    let shifted = Number.POSITIVE_INFINITY
    for (let load = 0; load < LOADS && shifted > MOST_SHIFTED; load++) {
      await page.goto(`${product.url}${path}`)
      await page.waitForLoadState("networkidle")
      await phone.shot(`${path.slice(1).replace("?", "-")}-light`, page)
      shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
    }
    if (shifted > MOST_SHIFTED) moved.push(`${path}: ${shifted}`)
  }
  return moved
}
