/** What a person of staff does on journeys in the console. */
import { createHmac } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { BrowserContext, Locator, Page } from "playwright-core"
import { soon } from "./people.ts"
import type { Product } from "./product.ts"

interface Staff {
  password: string
  /** The authenticator's, as `make run` prints it. */
  secret: string
  /** Signs withdrawals. */
  passphrase: string
}

/** Where the console stands, and plain calls to it. */
type Door = Pick<Product, "url" | "call">

const STAFF: Record<"operator" | "reviewer", Staff> = {
  operator: {
    password: "demo1234",
    secret: "A3SVWYZUQH33WBZJK7VLZ4IQZFZOQZUR",
    passphrase: "calm blue river",
  },
  reviewer: {
    password: "demo1234",
    secret: "FVYJTGXBQBPEXTXZWSVTUS4CP5LYYYLU",
    passphrase: "tall green lamp",
  },
}

export const passphraseOf = (name: keyof typeof STAFF): string => STAFF[name].passphrase

/** Log in to the console by its door. A code that somebody has used already is waited out: each counts once. */
export async function logInStaff(page: Page, product: Door, name: keyof typeof STAFF): Promise<void> {
  const { password, secret } = STAFF[name]
  await page.goto(`${product.url}/operator`)
  const codeField = page.getByLabel("Authenticator code", { exact: true })
  await codeField.waitFor()
  const inside = page.getByRole("navigation", { name: "Sections" })
  let used = ""
  await soon(async () => {
    // An alert of the code before may have stood for a moment longer than that.
    if (await inside.isVisible()) return true
    const { code } = await product.call("/api/demo/totp", { secret })
    if (code === used) return false
    used = code
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await codeField.fill(code)
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/operator/login"))
    await page.getByRole("button", { name: "Log in", exact: true }).click()
    await answered
    await inside.or(page.getByRole("alert")).first().waitFor()
    return inside.isVisible()
  })
}

/** Fill in what every renewal asks for, press, and wait for `shown`; a code that was used is waited out. */
export async function proveStaff(
  panel: Locator,
  product: Product,
  name: keyof typeof STAFF,
  button: string,
  shown: Locator,
): Promise<void> {
  const { password, secret } = STAFF[name]
  let used = ""
  await soon(async () => {
    if (used !== "" && (await shown.isVisible())) return true
    const { code } = await product.call("/api/demo/totp", { secret })
    if (code === used) return false
    used = code
    await panel.getByLabel("Present password", { exact: true }).fill(password)
    await panel.getByLabel("Authenticator code", { exact: true }).fill(code)
    const answered = panel.page().waitForResponse((answer) => answer.url().includes("/api/"))
    await panel.getByRole("button", { name: button, exact: true }).click()
    await answered
    await shown.or(panel.getByRole("alert")).first().waitFor()
    return shown.isVisible()
  })
}

/** Fill the door's form as somebody with one code, and send it. */
export async function knock(page: Page, name: string, password: string, code: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByLabel("Authenticator code", { exact: true }).fill(code)
  const answered = page.waitForResponse((answer) => answer.url().includes("/api/"))
  await page.getByRole("button", { name: "Log in", exact: true }).click()
  await answered
}

/**
 * Somebody's authenticator, in base32: each code is asked for once. The server takes those of the step before now, of
 * now and of the next one, so that three are there at a time.
 */
export function authenticator(secret: string): () => Promise<string> {
  let last = 0
  return async () => {
    // One that soon counts no more might be typed too late.
    const oldest = Date.now() % STEP_MS < STEP_MS - TYPING_MS ? now() - 1 : now()
    const step = Math.max(last + 1, oldest)
    while (step > now() + 1) await sleep(STEP_MS - (Date.now() % STEP_MS))
    last = step
    return codeOf(bytesOf(secret), step)
  }
}

/** Go to a page of the console by its name in the list of them. */
export const section = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true }).click()

/** See what a command of the open sheet would do, and ask for it. */
export async function askFor(page: Page, reason: string): Promise<void> {
  const sheet = page.getByRole("dialog")
  await sheet.getByText("becomes").first().waitFor()
  await sheet.getByLabel("Reason", { exact: true }).fill(reason)
  await sheet.getByRole("button", { name: "Ask for the second signature" }).click()
  await sheet.waitFor({ state: "detached" })
}

/** On the second person's page of commands: read what was asked for, and sign it. */
export async function sign(page: Page, object: string | RegExp, reason: string): Promise<void> {
  await page.getByRole("row").filter({ hasText: object }).getByRole("button").click()
  const sheet = page.getByRole("dialog", { name: /^Command \d+$/ })
  await sheet.getByText(reason).waitFor()
  await sheet.getByRole("button", { name: "Sign it" }).click()
  await sheet.waitFor({ state: "detached" })
}

const STEP_MS = 30_000
const TYPING_MS = 12_000
const now = () => Math.floor(Date.now() / STEP_MS)

/** Source: RFC 6238 with HMAC-SHA-1, six digits. */
function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac("sha1", secret).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** A page of the console for somebody who sits at another device. */
export async function openConsole(
  context: BrowserContext,
  product: Product,
  name: keyof typeof STAFF,
): Promise<Page> {
  const page = await context.newPage()
  await logInStaff(page, product, name)
  return page
}
