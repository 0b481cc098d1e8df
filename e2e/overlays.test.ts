/** What opens over the gallery's page or takes its place: sheets, a payment's steps, the keypad, no connection. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Locator } from "playwright-core"
import { misfits } from "./support/fits.ts"
import { differences, keptLooks, lookAt, OPENED, openStill, THEMES } from "./support/looks.ts"
import { bannerOf, lookAtOpened } from "./support/opened.ts"
import { TARGET, useGallery } from "./support/useGallery.ts"

const { url, browser, phone, page, part, button } = await useGallery()

test("what opens looks as it did: sheets, a payment's steps, the keypad, no connection", async () => {
  const { page } = await openStill(browser, url)
  const kept = new Map(THEMES.flatMap((theme) => [...keptLooks(theme, OPENED)]))
  assert.deepEqual(differences(kept, await lookAtOpened(page)), [], "if the change is wanted: make looks")
  const banner = bannerOf(page)
  await banner.evaluate((line) => line.style.setProperty("color", "red"))
  const noticed = differences(kept, await lookAt(page, "OfflineBanner", banner))
  assert.ok(noticed.includes("Review-dark: is gone"))
  assert.deepEqual(
    noticed.flatMap((line) => line.match(/^OfflineBanner-\w+/) ?? []),
    ["OfflineBanner-dark", "OfflineBanner-light"],
  )
})

test("a payment: review, password, receipt; Back leads to the form and not to the review", async () => {
  await review("1")
  await button("Send 1 USDT").click()
  await pay("000000", "Send 1 USDT")
  await page.getByRole("alert").getByText("The withdrawal password is wrong").waitFor()
  await phone.shot("kit-password")
  await pay("123456", "Send 1 USDT")
  await page.getByRole("heading", { name: "Receipt" }).waitFor()
  await phone.shot("kit-receipt")
  await page.goBack()
  await page.getByRole("heading", { name: "Gallery" }).waitFor()
  assert.equal(await page.getByRole("dialog").count(), 0)
})

test("above a keyboard a review's password, what is wrong with it and its button stand in view", async () => {
  await review("1")
  await button("Send 1 USDT").click()
  await page.getByLabel("Withdrawal password").fill("000000")
  await page.setViewportSize({ width: 390, height: 420 })
  await page.keyboard.press("Enter")
  const wrong = page.getByRole("alert").getByText("The withdrawal password is wrong")
  await wrong.waitFor()
  const sends = page.getByRole("dialog").getByRole("button", { name: "Send 1 USDT" })
  for (const one of [page.getByLabel("Withdrawal password"), wrong, sends])
    await page.waitForFunction(standsInView, await one.elementHandle())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goBack()
  await page.getByRole("dialog").waitFor({ state: "detached" })
})

test("a payment whose answer is lost is checked, survives Back, and ends with its receipt", async () => {
  await review("2")
  await phone.shot("kit-review")
  await button("Send 2 USDT").click()
  await pay("123456", "Send 2 USDT")
  await page.getByText("nobody knows yet").waitFor()
  await phone.shot("kit-checking")
  await page.goBack()
  await page.getByText("Your last payment has no answer yet").waitFor()
  await button("Show it").click()
  await button("Ask again").click()
  await page.getByRole("heading", { name: "Receipt" }).waitFor()
  await page.goBack()
})

test("a refusal keeps the form; a notice is accepted in the same step", async () => {
  await review("3")
  await button("Send 3 USDT").click()
  await pay("123456", "Send 3 USDT")
  await part("ReviewSheet").getByText("insufficient balance").waitFor()
  assert.equal(await page.getByLabel("Amount", { exact: true }).inputValue(), "3")
  await review("4")
  await button("Send 4 USDT").click()
  await pay("123456", "Send 4 USDT")
  await page.getByText("Transfers go to whoever").waitFor()
  assert.equal(await button("Send 4 USDT").isDisabled(), true)
  await page.getByText("I have read this and accept it").click()
  await phone.shot("kit-notice")
  await button("Send 4 USDT").click()
  await page.getByRole("heading", { name: "Receipt" }).waitFor()
  await page.goBack()
})

test("a sheet takes the focus and gives it back; its keypad stands in it; Escape closes one after the other", async () => {
  const opener = button("Open a sheet")
  await opener.focus()
  await page.keyboard.press("Enter")
  const sheet = page.getByRole("dialog")
  await sheet.waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === "A sheet")
  const field = page.getByLabel("Amount in a sheet")
  await field.click()
  for (const key of ["1", "2", "decimal separator", "5"])
    await sheet.getByRole("button", { name: key, exact: true }).click()
  assert.equal(await field.inputValue(), "12.5")
  await phone.shot("kit-keypad")
  const seen = await field.evaluate((one) => {
    const { top, bottom, left } = one.getBoundingClientRect()
    return document.elementFromPoint(left + 2, (top + bottom) / 2) === one
  })
  assert.ok(seen, "the field stands above its keypad")
  await page.keyboard.press("Escape")
  await sheet.getByRole("group", { name: "Keypad" }).waitFor({ state: "detached" })
  assert.equal(await sheet.count(), 1)
  await page.keyboard.press("Escape")
  await sheet.waitFor({ state: "detached" })
  await page.waitForFunction(() => document.activeElement?.textContent === "Open a sheet")
  await opener.click()
  await page.reload()
  await sheet.waitFor()
  await drag(sheet.getByRole("heading"), 300)
  await sheet.waitFor({ state: "detached" })
})

test("what scrolls under a sheet's foot ends before its button, and at the end stands clear of it", async () => {
  await page.setViewportSize({ width: 390, height: 340 })
  await button("Open a sheet").click()
  const sheet = page.getByRole("dialog")
  await sheet.waitFor()
  await settled(sheet)
  const gaps = await sheet.evaluate((one) => {
    const body = one.querySelector("[data-sheet-body]") as HTMLElement
    const foot = one.lastElementChild?.querySelector("button") as HTMLElement
    const under = body.scrollHeight - body.clientHeight
    const toBody = foot.getBoundingClientRect().top - body.getBoundingClientRect().bottom
    body.scrollTop = under
    const last = body.firstElementChild as HTMLElement
    return [
      under > 0,
      toBody >= 8,
      foot.getBoundingClientRect().top - last.getBoundingClientRect().bottom >= 20,
    ]
  })
  assert.deepEqual(gaps, [true, true, true])
  await page.goBack()
  await sheet.waitFor({ state: "detached" })
  await page.setViewportSize({ width: 390, height: 844 })
})

test("on a phone's side, or turned meanwhile, the amount stands above its keypad, in a page and in a sheet", async () => {
  const amount = page.getByLabel("Amount", { exact: true })
  const keypad = page.getByRole("group", { name: "Keypad" })
  const stands = async (field: Locator) => {
    await keypad.waitFor()
    await page.waitForFunction(standsInView, await field.elementHandle())
    const room = await keypad.evaluate((one) => innerHeight - one.getBoundingClientRect().height)
    assert.ok(room > 180, `${room} px are left above it`)
  }
  await page.setViewportSize({ width: 844, height: 390 })
  await amount.click()
  await stands(amount)
  await phone.shot("kit-keypad-short")
  assert.deepEqual(await page.evaluate(misfits, TARGET), [])
  await page.setViewportSize({ width: 390, height: 844 })
  await stands(amount)
  await page.keyboard.press("Escape")
  await button("Open a sheet").click()
  await page.setViewportSize({ width: 844, height: 390 })
  const inSheet = page.getByLabel("Amount in a sheet")
  await inSheet.click()
  await stands(inSheet)
  await page.goBack()
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.setViewportSize({ width: 390, height: 844 })
})

test("a sheet on a sheet: Escape closes the upper one, a reload keeps both, and the focus goes back", async () => {
  await button("Open a sheet").click()
  const leave = button("To another site")
  await leave.click()
  const sheets = page.getByRole("dialog")
  const upper = page.getByRole("dialog", { name: "You leave Kalos" })
  await upper.waitFor()
  await phone.shot("kit-sheet-on-sheet")
  await page.keyboard.press("Escape")
  await upper.waitFor({ state: "detached" })
  await page.waitForFunction(() => document.activeElement?.textContent === "To another site")
  await leave.click()
  await upper.waitFor()
  await page.reload()
  await upper.waitFor()
  await page.goBack()
  await upper.waitFor({ state: "detached" })
  assert.equal(await sheets.count(), 1)
  await page.goBack()
  await sheets.waitFor({ state: "detached" })
})

test("a picture fits the screen, grows past it by key and button, and Back gives the focus back", async () => {
  const small = button("Enlarge the picture: The mark of Kalos on its ground")
  await small.focus()
  await page.keyboard.press("Enter")
  const viewer = page.getByRole("dialog", { name: "Picture" })
  const image = viewer.getByRole("img", { name: "The mark of Kalos on its ground" })
  const width = () => image.evaluate((one) => one.getBoundingClientRect().width)
  await image.waitFor()
  assert.equal(await width(), 390)
  await page.keyboard.press("+")
  await viewer.getByRole("button", { name: "Larger" }).click()
  await viewer.getByText("200%").waitFor()
  assert.equal(await width(), 780)
  const aside = await viewer.getByRole("group").evaluate((one) => one.scrollLeft)
  assert.ok(Math.abs(aside - 195) <= 1, `its middle stays in the middle, not ${aside}`)
  await page.goBack()
  await viewer.waitFor({ state: "detached" })
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Enlarge"))
})

test("without a server the banner says so and money can't be sent", async () => {
  await button("Ask whether the server is there").click()
  await page.getByText("No connection to the server. What you see may be old").waitFor()
  assert.equal(await button("Review").isDisabled(), true)
  await page.evaluate(() => scrollTo(0, 0))
  await phone.shot("kit-offline")
})

/** Wait until it no longer moves. */
const settled = (one: Locator) =>
  one.evaluate(async (panel) => {
    await Promise.all(panel.getAnimations().map(({ finished }) => finished))
  })

async function review(amount: string): Promise<void> {
  await page.getByLabel("Amount", { exact: true }).fill(amount)
  await page.keyboard.press("Escape")
  await button("Review").click()
  await page.getByRole("dialog").waitFor()
}

async function pay(password: string, sentence: string): Promise<void> {
  await page.getByLabel("Withdrawal password").fill(password)
  await button(sentence).click()
}

async function drag(handle: Locator, by: number): Promise<void> {
  const box = await handle.boundingBox()
  if (!box) throw new Error("nothing to drag")
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + 5, box.y + by, { steps: 4 })
  await page.mouse.up()
}

/** Whether all of it can be seen, and nothing stands over it. */
function standsInView(one: Element | null): boolean {
  const { top, bottom, left } = one?.getBoundingClientRect() ?? { top: -1, bottom: -1, left: 0 }
  const shown = (y: number) => one?.contains(document.elementFromPoint(left + 9, y)) === true
  return top >= 0 && bottom <= innerHeight && shown(top + 2) && shown(bottom - 2)
}
