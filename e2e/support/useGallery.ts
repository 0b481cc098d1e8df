/** What a file of the gallery's tests works with; all of it ends with the file. */
import { after } from "node:test"
import type { Browser, Locator, Page } from "playwright-core"
import { openBrowser, Phone } from "./browser.ts"
import { serveGallery } from "./gallery.ts"

/** In pixels, each way: what is pressed is no smaller. */
export const TARGET = 44

interface Used {
  url: string
  browser: Browser
  phone: Phone
  page: Page
  part: (name: string) => Locator
  button: (name: string | RegExp) => Locator
  /** Begin anew. */
  open: () => Promise<void>
}

/** A gallery of a test file's own, open on a phone, and away again after its tests. */
export async function useGallery(): Promise<Used> {
  const gallery = await serveGallery()
  let browser: Browser | undefined
  after(async () => {
    await browser?.close()
    await gallery.close()
  })
  browser = await openBrowser()
  const phone = await Phone.open(browser, { away: true })
  const { page } = phone
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  const open = async () => {
    await page.goto(gallery.url)
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    await page.locator('[data-part="QR"] svg').waitFor()
  }
  await open()
  return {
    url: gallery.url,
    browser,
    phone,
    page,
    part: (name) => page.locator(`[data-part="${name}"]`),
    button: (name) => page.getByRole("button", { name }),
    open,
  }
}
