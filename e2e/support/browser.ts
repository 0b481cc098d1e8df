/** A phone-sized browser that reports what a page must never do: plain calls, policy violations, errors. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

const SHOTS = join(import.meta.dirname, "../shots")
const STEP_MS = 10_000
const OPEN_CALLS = new Set(["/api/wire/open"])

export async function openBrowser(): Promise<Browser> {
  const root = process.getuid?.() === 0
  return await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      ...(root ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  })
}

/** A page of 390 × 844 with its faults: read them with `faults`. */
export class Phone {
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: string[] = []

  private constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
  }

  static async open(browser: Browser, options: { dark?: boolean } = {}): Promise<Phone> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
      colorScheme: options.dark === false ? "light" : "dark",
      locale: "en",
      timezoneId: "Asia/Singapore",
    })
    context.setDefaultTimeout(STEP_MS)
    const page = await context.newPage()
    const phone = new Phone(context, page)
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        // biome-ignore lint/suspicious/noConsole: the test reads the console
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
      })
    })
    page.on("pageerror", (error) => phone.faults.push(`error: ${error.message}`))
    page.on("console", (message) => {
      if (message.type() === "error") phone.faults.push(`console: ${message.text()}`)
    })
    page.on("request", (request) => {
      const path = new URL(request.url()).pathname
      if (!/^\/(api|v1)\//.test(path) || OPEN_CALLS.has(path)) return
      const body = request.postData() ?? ""
      if (!isEnvelope(body)) phone.faults.push(`plain call: ${request.method()} ${path} ${body.slice(0, 80)}`)
    })
    return phone
  }

  /** Keep a picture of the screen as it stands. */
  async shot(name: string): Promise<void> {
    await mkdir(SHOTS, { recursive: true })
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`) })
  }
}

function isEnvelope(body: string): boolean {
  try {
    const fields = Object.keys(JSON.parse(body)).sort()
    return fields.join() === "data,sid,v"
  } catch {
    return false
  }
}
