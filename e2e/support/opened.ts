/**
 * How what opens over a page or takes its place looks in both themes: sheets, the steps of a payment, the keypad, and
 * what stands there without a connection. Each is brought about in the gallery as a member would. Toasts aren't among
 * them: they come and go by more clocks than the page's, and the gallery shows how they look at rest.
 */
import type { Locator, Page } from "playwright-core"
import { LATER, type Looks, lookAt, until } from "./looks.ts"

const OUT = "246810"

/** All of them, one after the other, on a gallery whose clock stands still; in the end its server is away. */
export async function lookAtOpened(page: Page): Promise<Looks> {
  const looks: Looks = new Map()
  const button = (name: string) => page.getByRole("button", { name })
  const sheet = page.getByRole("dialog")
  const take = async (name: string, part?: Locator) => {
    for (const [key, picture] of await lookAt(page, name, part)) looks.set(key, picture)
  }
  const gone = async (part: Locator) => {
    await until(page, button("Open a sheet"))
    while ((await part.count()) > 0) await page.clock.runFor(100)
  }
  const back = async () => {
    await page.goBack()
    await gone(sheet)
  }
  const review = async (amount: string) => {
    await page.evaluate(sameChance, Number(amount))
    await page.getByLabel("Amount", { exact: true }).fill(amount)
    await page.keyboard.press("Escape")
    await button("Review").click()
    await until(page, sheet)
  }
  const pay = async (amount: string, password: string, then: Locator) => {
    await page.getByLabel("Withdrawal password").fill(password)
    await button(`Send ${amount} USDT`).click()
    await until(page, then)
  }
  const receipt = page.getByRole("heading", { name: "Receipt" })
  // Timers go on, what o'clock it is doesn't.
  await page.clock.setFixedTime(LATER)

  await button("Hide balances").click()
  const hidden = page.locator('[data-part="Amount"] [data-state="hero"]')
  await hidden.scrollIntoViewIfNeeded()
  await take("AmountHidden", hidden)
  await button("Show balances").click()

  await page.getByLabel("Amount", { exact: true }).click()
  const keypad = page.getByRole("group", { name: "Keypad" })
  await until(page, keypad)
  await take("Keypad", keypad)
  await page.keyboard.press("Escape")

  await review("1")
  await take("Review", sheet)
  await button("Send 1 USDT").click()
  await until(page, page.getByLabel("Withdrawal password"))
  await pay("1", "000000", page.getByRole("alert").getByText("The withdrawal password is wrong"))
  await take("ReviewRefused", sheet)
  await pay("1", OUT, receipt)
  await take("Receipt")
  await back()

  await review("2")
  await button("Send 2 USDT").click()
  await until(page, page.getByLabel("Withdrawal password"))
  await pay("2", OUT, page.getByText("nobody knows yet"))
  await take("ReviewChecking", sheet)
  await button("Ask again").click()
  await until(page, receipt)
  await back()

  const code = sheet.getByLabel("Code from the authenticator")
  await review("5")
  await button("Send 5 USDT").click()
  await until(page, code)
  await take("ReviewFactor", sheet)
  await code.fill("123456")
  await pay("5", OUT, receipt)
  await back()

  await review("6")
  await button("Send 6 USDT").click()
  await until(page, page.getByLabel("Withdrawal password"))
  await pay("6", OUT, receipt)
  await take("ReceiptPending")
  await back()

  await review("4")
  await button("Send 4 USDT").click()
  await until(page, page.getByLabel("Withdrawal password"))
  await pay("4", OUT, page.getByText("Transfers go to whoever"))
  await take("ReviewNotice", sheet)
  await back()

  await button("Open a sheet").click()
  await until(page, sheet)
  await take("SheetOpen", sheet)
  await button("To another site").click()
  await until(page, page.getByRole("dialog", { name: "You leave Kalos" }))
  await take("SheetOnSheet")
  await page.goBack()
  await until(page, page.getByRole("dialog", { name: "A sheet" }))
  await back()

  await button("Ask for a slide").click()
  await until(page, sheet.getByRole("slider"))
  await take("SlideSheetOpen", sheet)
  await back()

  await button("Enlarge the picture: The mark of Kalos on its ground").click()
  await until(page, page.getByRole("dialog", { name: "Picture" }).getByRole("img"))
  await take("PictureViewer")
  await back()

  await button("Ask whether the server is there").click()
  await until(page, bannerOf(page))
  await take("OfflineBanner", await seen(bannerOf(page)))
  await take("LoadedOffline", await seen(page.locator('[data-part="Loaded"] [data-state="there"]')))
  await take("ReviewOffline", await seen(page.locator('[data-part="ReviewSheet"] [data-state="form"]')))
  return looks
}

export const bannerOf = (page: Page): Locator =>
  page.getByText("No connection to the server. What you see may be old")

async function seen(part: Locator): Promise<Locator> {
  await part.scrollIntoViewIfNeeded()
  return part
}

/** Ids that chance would choose are the same each time; another for each `seed`. */
function sameChance(seed: number): void {
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (array instanceof Uint8Array)
      for (let place = 0; place < array.length; place++) array[place] = seed * 31 + place * 7
    return array
  }
}
