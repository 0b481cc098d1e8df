/** What a person of staff does on journeys in the console. */
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
    const { code } = await product.call("/api/demo/totp", { secret })
    if (code === used) return false
    used = code
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await codeField.fill(code)
    await page.getByRole("button", { name: "Log in", exact: true }).click()
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
