/** A phone-sized browser; what a page must never do fails the test: plain calls, policy violations, errors. */
import assert from "node:assert/strict"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { afterEach } from "node:test"
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core"
import { LAUNCH } from "./launch.ts"

const SHOTS = join(import.meta.dirname, "../shots")
/** In CI nobody looks at pictures, and drawing them takes its time. */
const KEEPS_SHOTS = !process.env.CI
const PICTURES = "/api/upload/"
const STEP_MS = 20_000
const LOOK_MS = 2_000
const SHOWN = 500
const OPEN_CALLS = new Set(["/api/wire/open"])
const AWAY = /^(Failed to load resource|WebSocket connection)/

const phones: Phone[] = []

afterEach(async (test) => {
  if ("error" in test && test.error instanceof Error) await tell(test.error)
  assert.deepEqual(
    phones.flatMap((phone) => phone.takeFaults()),
    [],
  )
})

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch(LAUNCH)
}

/** `away`: the page may say that nobody answers it. `worker`: with the page's service worker. `sharp`: drawn as finely as
 * a phone does, for pictures that are compared; four times the points take their time. `moves`: as most people see it;
 * else as one who asked for stillness, for drawing what moves is a third of a browser's work. */
export interface PhoneOptions {
  dark?: boolean
  away?: boolean
  worker?: boolean
  sharp?: boolean
  moves?: boolean
  locale?: string
}

/** A page of 390 × 844 in English, and whatever it opens. */
export class Phone {
  readonly page: Page
  readonly context: BrowserContext
  private faults: string[] = []

  private constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
  }

  static async open(browser: Browser, options: PhoneOptions = {}): Promise<Phone> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: options.sharp ? 2 : 1,
      hasTouch: true,
      isMobile: true,
      reducedMotion: options.moves ? "no-preference" : "reduce",
      colorScheme: options.dark === false ? "light" : "dark",
      locale: options.locale ?? "en",
      timezoneId: "Asia/Singapore",
      serviceWorkers: options.worker ? "allow" : "block",
    })
    context.setDefaultTimeout(STEP_MS)
    const phone = new Phone(context, await context.newPage())
    phones.push(phone)
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        // biome-ignore lint/suspicious/noConsole: the test reads the console
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
      })
    })
    context.on("weberror", (problem) => phone.faults.push(`error: ${problem.error().message}`))
    context.on("console", (message) => {
      if (message.type() !== "error" || (options.away && AWAY.test(message.text()))) return
      phone.faults.push(`console: ${message.text()}`)
    })
    context.on("request", (request) => {
      const path = new URL(request.url()).pathname
      if (!/^\/(api|v1)\//.test(path) || OPEN_CALLS.has(path)) return
      // Of an <img>, which is no call; or of a grant that a sealed call gave.
      if (["GET", "PUT"].includes(request.method()) && path.startsWith(PICTURES)) return
      const body = request.postData() ?? ""
      if (!isEnvelope(body)) phone.faults.push(`plain call: ${request.method()} ${path} ${body.slice(0, 80)}`)
    })
    return phone
  }

  /** What was seen since this was last asked. */
  takeFaults(): string[] {
    const taken = this.faults
    this.faults = []
    return taken
  }

  /** Keep a picture of the screen as it stands, or of another tab. */
  async shot(name: string, page = this.page): Promise<void> {
    if (!KEEPS_SHOTS) return
    await mkdir(SHOTS, { recursive: true })
    await page.screenshot({ path: join(SHOTS, `${name}.png`) })
  }

  /** Keep a picture of the whole page, however long. */
  async shotOfAll(name: string): Promise<void> {
    if (!KEEPS_SHOTS) return
    await mkdir(SHOTS, { recursive: true })
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true, scale: "css" })
  }
}

/** Put beside what ended a test where the pages stand, and the beginning of what they show. */
async function tell(problem: Error): Promise<void> {
  const cause = problem.cause instanceof Error ? problem.cause : problem
  for (const page of phones.flatMap(({ context }) => context.pages())) {
    const text = await page.locator("body").textContent({ timeout: LOOK_MS }).catch(String)
    cause.stack += `\n    shown at ${page.url()}: ${text?.replace(/\s+/g, " ").slice(0, SHOWN)}`
  }
}

/** What the page has asked for and has no answer to. */
export function underWay(page: Page): ReadonlySet<Request> {
  const asked = new Set<Request>()
  page.on("request", (request) => asked.add(request))
  page.on("requestfinished", (request) => asked.delete(request))
  page.on("requestfailed", (request) => asked.delete(request))
  return asked
}

function isEnvelope(body: string): boolean {
  try {
    const fields = Object.keys(JSON.parse(body)).sort()
    return fields.join() === "data,sid,v"
  } catch {
    return false
  }
}
