/** The page as an installed app: without a network, across a deploy, in two tabs, and after the end of a session. */
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import type { Page } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { copyBuild, nextBuild } from "./support/builds.ts"
import { keptRecords } from "./support/kept.ts"
import { logIn, tokenOf } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const FIGURE = /\d\.\d\d/

const folder = await mkdtemp(join(tmpdir(), "kalos-dist-"))
const dist = join(folder, "dist")
await copyBuild(dist)
const { product, browser, phone, page } = await useProduct({
  own: { WEB_DIST: dist },
  worker: true,
  away: true,
})
after(() => rm(folder, { recursive: true, force: true }))

/** What the member has in all: what came in today stands above it, as soon as that is known. */
const total = () => page.locator("main section .text-hero").first().textContent()
const heading = (name: string) => page.getByRole("heading", { level: 1, name })
/** The script that the page began with. */
const entry = (): Promise<string> =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "")
const cached = (): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
/** What the product would have stored of a member who pays and reads, in this tab and on the device. */
const leave = (on: Page) =>
  on.evaluate(() => {
    localStorage.setItem("kalos.read", '["1"]')
    sessionStorage.setItem("kalos.receipts", '[{"id":"1"}]')
    sessionStorage.setItem("kalos.payment.bet", '{"of":"","order":{"request_id":"of-an-unanswered-bet"}}')
  })
/** All that may stay when nobody is logged in: choices, times of reloads, how far one had scrolled. */
const HARMLESS = /^(kalos\.(settings|reloaded|chunk|told)|tsr-scroll-restoration-.*)$/
const leftOf = async (on: Page): Promise<string[]> => {
  const stored = await on.evaluate(() =>
    [localStorage, sessionStorage].flatMap((store) => Object.keys(store)),
  )
  return stored.filter((key) => !HARMLESS.test(key)).sort()
}

async function until(what: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await what())) {
    assert.ok(Date.now() < end, `not in time: ${what}`)
    await page.waitForTimeout(50)
  }
}

test("it can be installed", async () => {
  await page.goto(`${product.url}/login`)
  await logIn(page, product, "10000001", "demo1234")
  await page.waitForURL(`${product.url}/home`)
  await page.getByText("Last movements").waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await until(async () => (await keptRecords(page)) === 1)
  const session = await phone.context.newCDPSession(page)
  const { errors } = await session.send("Page.getAppManifest")
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors")
  const faults = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")
  assert.deepEqual([errors, faults], [[], []])
})

test("no answer of the API is in its cache, only files of the build", async () => {
  await page.goto(`${product.url}/node3?tab=hash`)
  await page.getByRole("button", { name: "Submit hash" }).waitFor()
  await until(async () => (await cached()).some((path) => path.includes("/HomePage-")))
  const strange = (await cached()).filter(
    (path) => !/^\/(assets\/[\w.-]+|icons\/[\w-]+\.png|icon\.svg|manifest\.webmanifest|)$/.test(path),
  )
  assert.deepEqual(strange, [])
  const kept = await page.evaluate(async () => (await caches.match("/"))?.text())
  assert.match(kept ?? "", /kalos-mode/)
  assert.doesNotMatch(kept ?? "", /kalos-wire-keys/)
})

test("without a network it shows the last balances with their time, and sends nothing", async () => {
  await page.goto(`${product.url}/node`)
  await page.getByRole("link", { name: "Withdraw", exact: true }).waitFor()
  await until(async () => (await cached()).some((path) => path.includes("/AssetsPage-")))
  await page.goto(`${product.url}/home`)
  await page.getByText("Last movements").waitFor()
  const figure = await total()
  assert.match(figure ?? "", FIGURE)
  await until(async () => (await keptRecords(page)) === 1)
  await phone.context.setOffline(true)
  await page.reload()
  await page.getByText("No connection to the server").first().waitFor()
  await page
    .getByText(/^Not up to date: as of \d\d:\d\d:\d\d/)
    .first()
    .waitFor()
  assert.equal(await total(), figure)
  await phone.shot("home-offline-dark")
  await page.goto(`${product.url}/node3?tab=hash`)
  await page.getByText("No connection to the server").first().waitFor()
  assert.ok(await page.getByRole("button", { name: "Submit hash" }).isDisabled())
  await phone.shot("topup-offline-dark")
  await page.goto(`${product.url}/node`)
  await page.getByText("No connection to the server", { exact: true }).waitFor()
  for (const name of ["Top up", "Withdraw", "Play"])
    assert.ok(await page.getByRole("button", { name, exact: true }).isDisabled())
  await phone.shot("assets-offline-dark")
  await phone.context.setOffline(false)
  await page.getByText("No connection to the server").first().waitFor({ state: "detached" })
  await page.getByRole("link", { name: "Withdraw", exact: true }).waitFor()
})

test("a deploy says that there is a new version, and takes nothing away from an open page", async () => {
  await page.goto(`${product.url}/home`)
  await page.getByText("Last movements").waitFor()
  const first = await entry()
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  await nextBuild(dist)
  await product.restartApi()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.getByText("New version available").waitFor()
  await phone.shot("home-update-dark")
  const part = page.waitForResponse((answer) => /\/MePage-/.test(answer.url()))
  await page.getByRole("link", { name: "Me", exact: true }).click()
  await heading("Me").waitFor()
  const answer = await part
  assert.deepEqual([answer.status(), await entry()], [200, first])
  assert.ok(await page.evaluate(() => "stayed" in window))
  await page.getByRole("button", { name: "Update" }).click()
  await page.waitForFunction(() => !("stayed" in window))
  await heading("Me").waitFor()
  assert.notEqual(await entry(), first)
  assert.equal(await page.getByText("New version available").count(), 0)
})

test("code that is gone loads the page anew where it was going to, once, and not for what is only fetched ahead", async () => {
  const token = await tokenOf(page, product)
  const bare = await Phone.open(browser, { away: true })
  await bare.page.addInitScript((value) => localStorage.setItem("kalos.token", value), token)
  let asked = 0
  let gone = true
  await bare.context.route("**/assets/TopUpPage-*.js", async (route) => {
    asked += 1
    await (gone ? route.fulfill({ status: 404 }) : route.continue())
  })
  await bare.page.goto(`${product.url}/home`)
  await bare.page.getByText("Last movements").waitFor()
  let loads = 0
  bare.page.on("load", () => loads++)
  const link = bare.page.getByRole("link", { name: "Top up" }).first()
  await link.dispatchEvent("touchstart")
  await until(async () => asked === 1)
  await page.waitForTimeout(300)
  assert.equal(loads, 0)
  bare.page.once("domcontentloaded", () => {
    gone = false
  })
  await link.click()
  await bare.page.getByRole("heading", { level: 1, name: "Top up" }).waitFor()
  await until(async () => loads > 0)
  assert.deepEqual([loads, new URL(bare.page.url()).pathname], [1, "/node3"])
  // The router says so on the console, and nothing else went wrong.
  assert.deepEqual(
    bare.takeFaults().filter((fault) => !fault.includes("the code of /node3 did not load")),
    [],
  )
  await bare.context.close()
})

for (const path of ["/login", "/operator"])
  test(`${path} is loaded anew by itself, once, where the code that its calls need doesn't come`, async () => {
    const bare = await Phone.open(browser, { away: true })
    let [loads, losses, opened] = [0, 0, 0]
    bare.page.on("request", (request) => {
      if (request.isNavigationRequest()) loads++
    })
    bare.page.on("response", (answer) => {
      if (answer.url().endsWith("/api/wire/open")) opened++
    })
    await bare.context.route("**/esm-*.js", async (route) => {
      if (loads > 1) return await route.continue()
      losses++
      await route.abort("connectionreset")
    })
    await bare.page.goto(`${product.url}${path}`)
    await until(async () => opened > 0)
    await bare.page.getByRole("button", { name: "Log in", exact: true }).waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual([loads, opened, bare.page.url()], [2, 1, `${product.url}${path}`])
    assert.ok(losses > 0)
    bare.takeFaults() // the browser tells of what it lost, too
    await bare.context.close()
  })

test("logging out in one tab ends the other, and leaves nothing of the member on the device", async () => {
  const other = await phone.context.newPage()
  await other.goto(`${product.url}/node`)
  await other.getByText(FIGURE).first().waitFor()
  await until(async () => (await keptRecords(page)) === 1)
  await page.goto(`${product.url}/me3`)
  for (const tab of [page, other]) {
    await leave(tab)
    const left = (await leftOf(tab)).filter((key) => key !== "kalos.stay")
    assert.deepEqual(left, [
      "kalos.device",
      "kalos.payment.bet",
      "kalos.read",
      "kalos.receipts",
      "kalos.token",
    ])
  }
  await page.getByRole("button", { name: "Log out" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click()
  await page.waitForURL(/\/login/)
  await other.waitForURL(/\/login/)
  await until(async () => (await keptRecords(page)) === 0)
  assert.equal(await other.getByText(FIGURE).count(), 0)
  // The device stays known: a stranger can't lock its owner out.
  assert.deepEqual([await leftOf(page), await leftOf(other)], [["kalos.device"], ["kalos.device"]])
  await other.close()
})

test("a session that the server ended reloads no tab twice, and both are at the door", async () => {
  const other = await phone.context.newPage()
  await other.goto(`${product.url}/login?redirect=%2Fnode`)
  await logIn(page, product, "10000001", "demo1234")
  await other.waitForURL(`${product.url}/node`)
  await page.goto(`${product.url}/home`)
  await page.getByText("Last movements").waitFor()
  await until(async () => (await keptRecords(page)) === 1)
  const loads = [0, 0]
  for (const [place, tab] of [page, other].entries())
    tab.on("load", () => loads.splice(place, 1, (loads[place] ?? 0) + 1))
  const token = await tokenOf(page, product)
  // Begun before the session ends: a toast doesn't stay.
  const told = Promise.any([page, other].map((tab) => tab.getByText("Please log in").first().waitFor()))
  const atDoor = Promise.all([page, other].map((tab) => tab.waitForURL(/\/login/)))
  // Two tabs that just loaded may have used up the second's calls of this member.
  await Promise.all([told, atDoor, until(async () => (await endFromElsewhere(token)) === 200)])
  await until(async () => Math.max(...loads) > 0)
  await until(async () => (await keptRecords(page).catch(() => Number.NaN)) === 0) // it may just load anew
  // The first that hears of it loads anew and tells the other; where both hear at once, both do.
  assert.ok(Math.max(...loads) === 1, loads.join(" "))
})

test("a log that shows a secret is noticed", async () => {
  const place = await product.keep("logs/told.log", "said demo1234\n")
  assert.deepEqual(await product.leaks(), ["said demo1234"])
  await rm(place)
})

/** Log out by a plain call, as no tab knows; the answer's code. */
async function endFromElsewhere(token: string): Promise<number> {
  const answer = await fetch(`${product.url}/api/auth/logout`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: token },
    body: "{}",
  })
  return ((await answer.json()) as { code: number }).code
}
