/** A way for each of the 72 routes and for what is none, and none of them away from here. */
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { logIn, newMember } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const BUILT = [
  "home",
  "node",
  "node1",
  "node3",
  "node4",
  "game",
  "game1",
  "me",
  "me1",
  "me3",
  "address3",
  "invite",
  "invite1",
  "bulletin",
  "bulletin-detail",
]
// Their words and figures come with the page: versions, checksums, names of protocols.
const BUNDLED = ["help", "wallet-register", "software-download"]
const ROUTES = join(import.meta.dirname, "../contract/routes.txt")

const { product, browser, page } = await useProduct({ dark: false })

test("a redirect that leads away ends at home", async () => {
  await page.goto(`${product.url}/login?redirect=${encodeURIComponent("/%09/evil.example")}`)
  const { account, password } = await newMember(product, "50")
  await logIn(page, product, account, password)
  await page.waitForURL(`${product.url}/home`)
  await page.getByText("Last movements").waitFor()
})

test("each of the 72 routes shows its screen or says that it isn't built", async () => {
  const routes = (await readFile(ROUTES, "utf8")).trim().split("\n")
  assert.equal(routes.length, 72)
  const silent = []
  for (const route of routes.filter((name) => name !== "/login" && name !== "/register")) {
    await page.goto(product.url + route)
    await page.getByRole("heading", { level: 1 }).waitFor()
    const says = await page.getByText("Not built yet").isVisible()
    if (says === [...BUILT, ...BUNDLED].includes(route.slice(1))) silent.push(route)
  }
  assert.deepEqual(silent, [])
})

test("the channel opens with the keys in the page while the route's code is on its way", async () => {
  const fresh = await Phone.open(browser)
  const asked: string[] = []
  fresh.page.on("request", (request) => asked.push(pathOf(request.url())))
  const opened = fresh.page.waitForResponse((response) => pathOf(response.url()) === "/api/wire/open")
  let held = 0
  await fresh.context.route("**/assets/LoginPage-*.js", async (route) => {
    held += 1
    await opened
    await route.continue()
  })
  await fresh.page.goto(`${product.url}/login`)
  await fresh.page.getByRole("heading", { level: 1 }).waitFor()
  assert.equal((await opened).status(), 200)
  assert.equal(held, 1)
  assert.ok(!asked.includes("/.well-known/wire-keys"))
  await fresh.context.close()
})

test("an unknown path says so inside the guard", async () => {
  await page.goto(`${product.url}/no-such-place`)
  await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor()
  await page.getByText("There is no page at this address.").waitFor()
  assert.equal(await page.getByText("/no-such-place", { exact: true }).count(), 1)
  assert.equal(pathOf(page.url()), "/no-such-place")
})

function pathOf(url: string): string {
  return new URL(url).pathname
}
