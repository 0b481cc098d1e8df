/** Help, tools and settings as a person uses them, and the doors' answers to what is typed wrong. */
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { logIn, newMember } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const ASSETS = join(import.meta.dirname, "../web/dist/assets")

const { product, browser, phone, page } = await useProduct()
const member = await newMember(product, "5000")

const focused = () => page.evaluate(() => document.activeElement?.closest("div, label")?.textContent ?? "")

test("several mistakes of a form are summed up and lead to their fields, one alone has the focus", async () => {
  await page.goto(`${product.url}/register?code=KALOS1`)
  await page.getByRole("button", { name: "Create account" }).click()
  const summary = page.getByRole("region", { name: /fields need a look/ })
  await page.waitForFunction(() => document.activeElement?.matches("section"))
  await summary.getByRole("button", { name: "Enter your e-mail" }).click()
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "email")
  await page.getByLabel("E-mail", { exact: true }).fill("mai@example.com")
  await page.getByLabel("Code from the e-mail").fill("123 456")
  await page.getByLabel("Password", { exact: true }).fill("harbour7lights")
  await page.getByRole("button", { name: "Create account" }).click()
  await page.getByText("Please read the terms and agree to them").waitFor()
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.type === "checkbox")
  assert.match(await focused(), /I have read the terms/)
})

test("a wrong picture code is told in place and in its field, and the password stays", async () => {
  await page.goto(`${product.url}/login`)
  await page.getByLabel("Account or e-mail", { exact: true }).fill(member.account)
  await page.getByLabel("Password", { exact: true }).fill(member.password)
  const code = page.getByLabel("Code in the picture", { exact: true })
  const before = await page.locator("img[data-captcha]").getAttribute("data-captcha")
  await code.fill("00000")
  await page.getByRole("button", { name: "Log in", exact: true }).click()
  await page.getByText("The picture's code is wrong").last().waitFor()
  await page.locator(`img[data-captcha]:not([data-captcha="${before}"])`).waitFor()
  assert.equal(await code.inputValue(), "")
  assert.equal(await code.getAttribute("aria-invalid"), "true")
  assert.equal(await page.getByLabel("Password", { exact: true }).inputValue(), member.password)
  await logIn(page, product, member.account, member.password)
  await page.waitForURL(`${product.url}/home`)
})

test("help is the last thing in every head and knows the screen it came from", async () => {
  for (const [path, topic] of [
    ["/home", null],
    ["/node", null],
    ["/node3", "topup"],
    ["/game1", "games"],
    ["/me", "security"],
    ["/me3", null],
    ["/order", null],
  ] as const) {
    await page.goto(product.url + path)
    const last = page.locator("header").locator("a, button").last()
    assert.equal(await last.getAttribute("aria-label"), "Help", path)
    const href = new URL((await last.getAttribute("href")) ?? "", product.url)
    assert.deepEqual([href.pathname, href.searchParams.get("topic")], ["/help", topic])
  }
})

test("an answer is found by its words, opens, and leads on; the search is still there after Back", async () => {
  await page.goto(`${product.url}/help`)
  await page.getByRole("searchbox").fill("HASH digit")
  await page.getByText("How does a result come about?").click()
  await page.getByText("letters are skipped").waitFor()
  await page.getByRole("link", { name: "Rules and proof" }).first().click()
  await page.waitForURL(/\/game1\?view=rules/)
  await page.goBack()
  assert.equal(await page.getByRole("searchbox").inputValue(), "HASH digit")
  await page.getByRole("searchbox").fill("no such words")
  await page.getByText("No answer has all of these words").waitFor()
  await page.getByRole("button", { name: "Clear the search" }).click()
  await page.getByRole("radio", { name: "Games and fairness" }).check({ force: true })
  await page.getByText("Rules of Odd / Even").click()
  await page.getByText("Return to player").last().waitFor()
  await phone.shot("help-dark")
  const report = page.getByRole("button", { name: /Details for a report/ })
  await report.click()
  const said = (await page.getByRole("dialog").textContent()) ?? ""
  assert.match(said, /Kalos: \d+\.\d+\.\d+, index-/)
  for (const secret of Object.values(member)) assert.ok(!said.includes(secret))
})

test("another site is opened only after its whole address was shown", async () => {
  await page.goto(`${product.url}/wallet-register`)
  await page.getByText("This demo needs no wallet").waitFor()
  await page.getByRole("button", { name: /trustwallet\.com/ }).click()
  await page.locator('[data-leave="https://trustwallet.com/download"]').waitFor()
  const way = page.getByRole("link", { name: "Open trustwallet.com" })
  assert.deepEqual(
    [await way.getAttribute("href"), await way.getAttribute("rel"), await way.getAttribute("target")],
    ["https://trustwallet.com/download", "noreferrer", "_blank"],
  )
  await phone.shot("leaving-dark")
  await page.goBack()
  await page.getByRole("dialog").waitFor({ state: "detached" })
})

test("the app is offered when the browser offers it, and the checksums are those of the files", async () => {
  await page.goto(`${product.url}/software-download`)
  await page.getByText(/^index-.*\.js$/).waitFor()
  const names = await page.getByText(/^[a-z-]+-[\w-]{8}\.js$/).allTextContents()
  assert.ok(names.length >= 2, names.join(" "))
  for (const name of names) {
    const file = await readFile(join(ASSETS, name))
    const digest = createHash("sha256").update(file).digest("hex")
    await page.locator(`[data-digest="${digest}"]`).waitFor()
  }
  await page.getByText("Open the browser's menu").waitFor()
  await page.evaluate(() => {
    const asked = () => document.body.setAttribute("data-asked", "")
    dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt: async () => asked() }))
  })
  await page.getByRole("button", { name: "Install" }).click()
  await page.locator("body[data-asked]").waitFor()
  assert.equal(await page.getByText("VPN").count(), 0)
})

test("settings act at once, survive a reload, and the cache is cleared without logging out", async () => {
  await page.goto(`${product.url}/me3`)
  const root = page.locator("html")
  const choose = (label: string) =>
    page.getByRole("radio", { name: label, exact: true }).check({ force: true })
  await choose("Light")
  await choose("Colour-blind")
  await choose("1.234,5")
  await page.getByRole("switch", { name: /Reduce motion/ }).check({ force: true })
  for (const again of [false, true]) {
    if (again) await page.reload()
    await page.getByText("1.234.567,89").waitFor()
    await page.locator('html[data-theme="paper"][data-updown="cvd"][data-still]').waitFor()
  }
  await page.getByRole("button", { name: "Clear the cache" }).click()
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name: "Clear and load anew" }).click(),
  ])
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
  assert.equal(await root.getAttribute("data-theme"), "paper")
  await page.getByRole("link", { name: "Licences" }).click()
  await page.getByText("Licences of this page in full").click()
  await page.getByText("Permission is hereby granted").waitFor()
  await page.getByText("Web app and its tools").click()
  await page.getByText(/^react-dom [\d.]+$/).waitFor()
  await page.goto(`${product.url}/node`)
  await page.getByText("5.000,00").first().waitFor()
})

test("without the API the answers and the wallets stand", async () => {
  const alone = await Phone.open(browser, { away: true })
  await alone.context.route(/\/(api|v1)\//, (route) => route.abort())
  await alone.context.routeWebSocket(/./, (socket) => socket.close())
  await alone.page.addInitScript((value) => localStorage.setItem("kalos.token", value), member.token)
  await alone.page.goto(`${product.url}/wallet-register`)
  await alone.page.getByText("This demo needs no wallet").waitFor()
  await alone.page.goto(`${product.url}/help?topic=games`)
  await alone.page.getByText("What is a void round?").waitFor()
  await alone.context.close()
})
