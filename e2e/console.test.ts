/** The console's page itself: while its code is late or lost, and when the session ends. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { soon } from "./support/people.ts"
import { authenticator, knock } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const NAME = "vera"
const PASSWORD = "quiet-harbour-bell"
const DESK = { width: 1280, height: 800 }

const { product, phone, page } = await useProduct()
const digits = authenticator(await product.hire(NAME, "support", PASSWORD))

test("a page whose code is late leaves the way elsewhere, and one whose code doesn't come says so", async () => {
  const code = "**/operator/StraysPage-*.js"
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await knock(page, NAME, PASSWORD, await digits())
  await page.getByRole("navigation", { name: "Sections" }).waitFor()
  await page.route(code, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${product.url}/operator/strays`)
  await page.locator("[aria-busy=true]").waitFor()
  await page.getByRole("link", { name: "Members" }).waitFor()
  await phone.shot("operator-late")
  arrive()
  await page.getByRole("heading", { name: "Other tokens", exact: true }).waitFor()
  await page.unroute(code)
  let tries = 0
  await page.route(code, (route) => {
    tries += 1
    return route.abort()
  })
  await page.reload()
  // Once it loads anew by itself: after a deploy the code has another name.
  await soon(async () => tries === 2)
  await page.getByRole("heading", { name: "This page failed to show" }).waitFor()
  assert.equal(new URL(page.url()).pathname, "/operator/strays")
  await phone.shot("operator-broken")
  phone.takeFaults() // the browser and the router tell of it, too
  await page.unroute(code)
  await page.getByRole("button", { name: "Load it again" }).click()
  await page.getByRole("heading", { name: "Other tokens", exact: true }).waitFor()
})

test("a session is one tab's, apart from a member's, and its end leads to the door", async () => {
  assert.equal(await page.evaluate(() => localStorage.getItem("kalos.token")), null)
  await page.evaluate(() =>
    sessionStorage.setItem("kalos.operator", `${sessionStorage.getItem("kalos.operator")}x`),
  )
  await page.goto(`${product.url}/operator/settings`)
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.getItem("kalos.operator")), null)
})
