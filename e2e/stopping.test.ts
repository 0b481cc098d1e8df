/** One person stops money out from the console's dashboard, for a reason that everybody reads; the machine lifts it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { soon } from "./support/people.ts"
import { authenticator, knock } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const [TREASURER, REVIEWER, PASSWORD] = ["tessa", "rita", "quiet-harbour-bell"]
const REASON = "Somebody has the office's laptop"
const DESK = { width: 1280, height: 800 }
/** The page asks for figures each quarter of a minute. */
const FIGURES_MS = 30_000

// A product of its own: while money out is stopped, no other file's withdrawal leaves.
const { product, browser, phone, page } = await useProduct({ own: {} })
const code = authenticator(await product.hire(TREASURER, "treasurer", PASSWORD))
const theirCode = authenticator(await product.hire(REVIEWER, "reviewer", PASSWORD))
const panelOf = (on: Page, name: string) =>
  on.locator("section").filter({ has: on.getByRole("heading", { name, exact: true }) })
const panel = panelOf(page, "Money out")
const open = panel.getByRole("button", { name: "Stop money out" })
const drawer = page.getByRole("dialog", { name: "Stop money out" })
const stopped = page.getByText(`Money out is stopped. stopped by ${TREASURER}: ${REASON}`)

test("the button stands behind the figures, as wide as its words, and only for who may press it", async () => {
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await knock(page, TREASURER, PASSWORD, await code())
  await panel.getByText(/You alone can stop all of them at once; only the machine lets them go on/).waitFor()
  await soon(async () => {
    const [button, figures] = [await open.boundingBox(), await panelOf(page, "Bankroll").boundingBox()]
    return button && figures && button.y > figures.y + figures.height && button.width < figures.width / 2
  })
  await phone.shotOfAll("operator-money-out")

  const theirs = await Phone.open(browser)
  await theirs.page.setViewportSize(DESK)
  await theirs.page.goto(`${product.url}/operator`)
  await knock(theirs.page, REVIEWER, PASSWORD, await theirCode())
  await panelOf(theirs.page, "Bankroll").waitFor()
  assert.equal(await panelOf(theirs.page, "Money out").count(), 0)
  await theirs.context.close()
})

test("nothing stops before it is carried out for a reason; then the dashboard's first line says so and why", async () => {
  await open.click()
  await drawer.getByText("No withdrawal or transfer leaves from then on").waitFor()
  await drawer.getByText("It counts at once.").waitFor()
  await drawer.getByRole("button", { name: "Carry it out" }).click()
  await drawer.getByText("Say why").waitFor()
  await drawer.getByRole("button", { name: "Back" }).click()
  await drawer.waitFor({ state: "detached" })
  assert.deepEqual(await product.command("money-out", "show"), {
    code: 0,
    said: "money out is not stopped\n",
  })

  await open.click()
  await drawer.getByLabel("Reason", { exact: true }).fill(REASON)
  await phone.shot("operator-stop-money-out")
  await drawer.getByRole("button", { name: "Carry it out" }).click()
  await drawer.waitFor({ state: "detached" })
  await stopped.waitFor()
  await panel.waitFor({ state: "detached" })
  const { code, said } = await product.command("money-out", "show")
  assert.deepEqual([code, said.includes(REASON)], [1, true])
  await phone.shot("operator-money-out-stopped")
})

test("the machine alone lets it go on: then the notice goes and the way to stop is there again", async () => {
  await soon(async () => {
    await product.lookAtReserves()
    const { code, said } = await product.command("money-out", "resume", "--reason", "The laptop was found")
    assert.ok(code === 0 || said.includes("the reserves were"), said)
    return code === 0
  })
  await open.waitFor({ timeout: FIGURES_MS })
  assert.equal(await stopped.count(), 0)
})
