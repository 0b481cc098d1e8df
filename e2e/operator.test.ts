/** The operator console: in by a code, a setting asked for by one and signed by another, and for everyone to read. */
import assert from "node:assert/strict"
import { test } from "node:test"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { logInStaff } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const PAGES = [
  "",
  "/withdrawals",
  "/deposits",
  "/commands",
  "/settings",
  "/switches",
  "/audit",
  "/no-such-page",
]
/** The chain is looked at each minute, the page asks for figures each quarter of one. */
const RESERVES_MS = 90_000
/** One that nothing else of the tests stands on. */
const SETTING = "total_exposure"

const { product, browser, phone, page } = await useProduct()

const section = (on: Page, name: string) =>
  on.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true }).click()

test("a setting is asked for by one person, and counts when another has signed it", async () => {
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
  await page.getByText("Enter the six digits that your authenticator shows").waitFor()
  await logInStaff(page, product, "operator")
  await page.getByRole("heading", { name: "Liabilities and reserves" }).waitFor()
  const reserves = page.getByRole("region", { name: "Liabilities and reserves" })
  await reserves.getByText("USDT").waitFor({ timeout: RESERVES_MS })

  await section(page, "Settings")
  await page.getByRole("button", { name: SETTING, exact: true }).click()
  const sheet = page.getByRole("dialog", { name: SETTING })
  await sheet.getByText("It was never changed.").waitFor()
  await sheet.getByLabel(/^Another value/).fill("0.099")
  await sheet.getByRole("button", { name: "See what it would do" }).click()
  await sheet.getByText("becomes").waitFor()
  const ask = sheet.getByRole("button", { name: "Ask for the second signature" })
  await ask.click()
  await sheet.getByText("Say why").waitFor()
  await sheet.getByLabel("Reason", { exact: true }).fill("A calmer month for the bankroll")
  await ask.click()
  await sheet.waitFor({ state: "detached" })

  await section(page, "Commands")
  const row = page.getByRole("row").filter({ hasText: SETTING })
  await row.getByRole("button").click()
  const own = page.getByRole("dialog", { name: /^Command \d+$/ })
  await own.getByText("You asked for this: somebody else must sign it.").waitFor()
  assert.equal(await own.getByRole("button", { name: "Sign it" }).count(), 0)
  await page.keyboard.press("Escape")

  const second = await Phone.open(browser)
  await second.page.setViewportSize(DESK)
  await logInStaff(second.page, product, "reviewer")
  await section(second.page, "Commands")
  await second.page.getByRole("row").filter({ hasText: SETTING }).getByRole("button").click()
  const theirs = second.page.getByRole("dialog", { name: /^Command \d+$/ })
  await theirs.getByText("A calmer month for the bankroll").waitFor()
  await theirs.getByRole("button", { name: "Sign it" }).click()
  await theirs.waitFor({ state: "detached" })
  await second.context.close()

  await page.reload()
  await section(page, "Settings")
  await page.getByRole("button", { name: SETTING, exact: true }).click()
  await sheet.getByRole("cell", { name: "operator, reviewer" }).waitFor()
  await page.keyboard.press("Escape")
  await section(page, "Audit log")
  await page.getByRole("row").filter({ hasText: "reviewer" }).filter({ hasText: SETTING }).first().waitFor()
})

test("every page can be read by everyone, at a desk and on a phone", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  const found: string[] = []
  for (const path of PAGES) {
    await page.setViewportSize(DESK)
    await page.goto(`${product.url}/operator${path}`)
    await page.locator("h1").waitFor()
    await page.waitForFunction(() => document.querySelector("main .animate-breathe") === null)
    found.push(...(await faultsOf(page)).map((fault) => `/operator${path}: ${fault}`))
    await phone.shot(`operator${path.replace("/", "-")}`)
    await page.setViewportSize(PHONE)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > PHONE.width) found.push(`/operator${path}: is ${width} wide on a phone`)
    await phone.shot(`operator${path.replace("/", "-")}-phone`)
  }
  assert.deepEqual(found, [])
})

test("a session is one tab's, apart from a member's, and its end leads to the door", async () => {
  await page.setViewportSize(DESK)
  assert.equal(await page.evaluate(() => localStorage.getItem("kalos.token")), null)
  await page.evaluate(() =>
    sessionStorage.setItem("kalos.operator", `${sessionStorage.getItem("kalos.operator")}x`),
  )
  await page.goto(`${product.url}/operator/settings`)
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.getItem("kalos.operator")), null)
})

/** What axe finds in both themes. */
async function faultsOf(on: Page): Promise<string[]> {
  const found: string[] = []
  await on.evaluate(axe.source)
  for (const theme of ["light", "dark"] as const) {
    await on.emulateMedia({ colorScheme: theme })
    const wanted = theme === "light" ? "paper" : "ink"
    await on.waitForFunction((name) => document.documentElement.dataset.theme === name, wanted)
    await on.waitForFunction(() => document.getAnimations().length === 0)
    const { violations } = await on.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document),
    )
    found.push(...violations.map(({ id, nodes }) => `${theme}: ${id} ${nodes[0]?.html}`))
  }
  return found
}
