/** What a file of tests works with; all of it ends with the file. */
import { after } from "node:test"
import type { Browser, Page } from "playwright-core"
import { openBrowser, Phone, type PhoneOptions } from "./browser.ts"
import { Product, SHARED } from "./product.ts"

interface Stage {
  product: Product
  browser: Browser
  phone: Phone
  page: Page
}

/**
 * The product that all files share, and a phone before it; a file that runs alone starts one for itself.
 * `own`: a product of this file's own with these settings, for what ends parts of it or changes them.
 */
export async function useProduct({
  own,
  ...options
}: PhoneOptions & { own?: Record<string, string> } = {}): Promise<Stage> {
  const shared = process.env[SHARED]
  const product =
    shared === undefined || own !== undefined ? await Product.start(own) : new Product(JSON.parse(shared))
  let browser: Browser | undefined
  after(async () => {
    await browser?.close()
    await product.stop()
  })
  browser = await openBrowser()
  const phone = await Phone.open(browser, options)
  return { product, browser, phone, page: phone.page }
}
