/** Every built screen for everyone: by keyboard, read out, enlarged, spaced, without movement, in each language. */
import assert from "node:assert/strict"
import { suite, type TestContext, test } from "node:test"
import type { CDPSession, Locator, Page } from "playwright-core"
import { isBuilt } from "../web/src/lib/unbuilt.ts"
import { COLOURS, violationsOf } from "./support/axe.ts"
import { Phone } from "./support/browser.ts"
import { countTones, listen } from "./support/ears.ts"
import * as layout from "./support/layout.ts"
import { newMember, setOutPassword, tokenOf, untilThereIsTime } from "./support/people.ts"
import { Reader } from "./support/reader.ts"
import {
  built,
  DOORS,
  inside,
  languages,
  OPEN,
  openScreen,
  openSheet,
  painted,
  SHEETS,
  settled,
  turn,
} from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const ALL = Boolean(process.env.KALOS_SOAK)
const PHONE = { width: 390, height: 844 }
const OUT = "246810"
const ROUND_MS = 70_000
/** Of so many sheets one is looked at, others by the next commits. */
const SHEETS_IN_CI = 3

/** How a screen is shown beside its usual size; a text's size of 16 is the usual one. */
const SHOWN: readonly { name: string; width: number; height: number; text?: number; spaced?: boolean }[] = [
  { name: "a phone", ...PHONE },
  { name: "320 pixels", width: 320, height: 640 },
  { name: "text at 200 %", ...PHONE, text: 32 },
  { name: "a window at 200 %", width: 640, height: 360 },
  { name: "a window at 400 %", width: 320, height: 256 },
  { name: "spaced text", ...PHONE, spaced: true },
]

const FAULTY = "http://faulty.localhost/"
const FAULTS = `<!doctype html><html lang="en"><title>Faults</title><style>
  body { margin: 0 } p { margin: 40px 0; white-space: nowrap }
  @keyframes go { to { opacity: 0.5 } } .go { animation: go 5s }
</style><main>
  <p style="overflow: hidden; width: 60px">cut at the side</p>
  <p style="overflow: hidden; height: 8px">cut in height</p>
  <p style="position: relative; left: 300px; width: 10px">a long text out of the page</p>
  <p>one text</p><p style="margin-top: -58px">another text</p>
  <button style="width: 16px; height: 16px; padding: 0; border: 0" aria-label="small"></button>
  <button style="width: 80px; height: 40px; background: rgb(1, 2, 3)">low</button>
  <table><tr><td><button style="width: 24px; height: 24px" aria-label="row"></button></td></tr></table>
  <a href="/" style="display: block; width: 30px; height: 44px">word</a>
  <p class="go">goes</p>
  <a href="/help">leads on</a> <a href="/store?q=tea">leads nowhere</a>
  <button style="width: 80px; height: 60px; padding: 0; white-space: nowrap">stands out of its button</button>
</main></html>`

const { product, browser, page } = await useProduct()

// A round's end is waited for while the screens are looked at.
suite("everyone", { concurrency: 2 }, () => {
  test("a log-in, a top-up and a bet need no pointer, and are read out", pathByKeys)
  test("every screen can be read by everyone, at any size, in its languages", everyScreen)
})

test("what the checks of a screen look for is noticed", async () => {
  const context = await browser.newContext({ viewport: PHONE })
  const page = await context.newPage()
  await page.addInitScript(layout.watchMotion)
  await page.route(FAULTY, (route) => route.fulfill({ contentType: "text/html", body: FAULTS }))
  await page.goto(FAULTY)
  await page.waitForFunction(() => (globalThis as unknown as { longMotions?: string[] }).longMotions?.length)
  await page.evaluate(() => {
    for (const one of document.getAnimations()) one.finish()
  })
  await page.evaluate(() => scrollTo({ top: 1, behavior: "smooth" }))
  const faults = (await page.evaluate(layout.layoutFaults, PHONE.width)).join("\n")
  for (const wanted of [
    /scrolls sideways/,
    /"cut at the side" is cut at the side/,
    /"cut in height" is cut above or below/,
    /"a long text.*is out of the page/,
    /"one text" lies on "another text"/,
    /"stands out of its button" stands out of its control at the side/,
  ])
    assert.match(faults, wanted)
  assert.deepEqual(await deadLinks(page), ["leads to /store, which isn't built"])
  const targets = await page.evaluate(layout.targetFaults)
  assert.deepEqual(targets, ['"small" (button) is 16 × 16', '"low" (button) is 80 × 40'])
  const moves = (await page.evaluate(layout.longMotions)).join("\n")
  assert.match(moves, /CSSAnimation of 5000 ms on go/)
  assert.match(moves, /scrollTo scrolls smoothly/)
  assert.notDeepEqual(await axeFaults(page), [])
  await context.close()
})

test("the member's own wish for stillness holds for a sheet, a toast and the way to another screen", async () => {
  const { token } = await newMember(product)
  const { page, context } = await Phone.open(browser, { moves: true })
  await page.addInitScript(layout.watchMotion)
  await page.addInitScript((value) => {
    localStorage.setItem("kalos.token", value)
    localStorage.setItem("kalos.settings", JSON.stringify({ still: true }))
  }, token)
  await openScreen(page, `${product.url}/me`)
  // Begun before the press: a toast doesn't stay.
  await Promise.all([
    page.waitForFunction(() => /copy success|isn't allowed/.test(document.body.textContent ?? "")),
    page.getByRole("button", { name: "Copy the invitation code" }).click(),
  ])
  await page.getByText("Language, theme, privacy").click()
  await page.getByRole("button", { name: "Log out" }).click()
  const sheet = page.getByRole("dialog")
  await sheet.waitFor()
  await painted(page)
  await sheet.getByRole("button", { name: "Close" }).click()
  await sheet.waitFor({ state: "detached" })
  assert.deepEqual(await page.evaluate(layout.longMotions), [])
  await context.close()
})

async function pathByKeys(): Promise<void> {
  const { account, password: word } = await newMember(product)
  const { page, context } = await Phone.open(browser)
  const reader = await Reader.of(page)
  await listen(page)
  const main = page.locator("main")
  const leads = (to: string): Locator => page.locator(`a[href^="${to}"]`).first()
  // The address is the next screen's before that is drawn.
  const arrives = async (title: string) => {
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor({ state: "attached" })
    await settled(page)
  }

  await openScreen(page, `${product.url}/login`)
  const [name, password, code] = [
    page.locator("[autocomplete=username]"),
    page.locator("[autocomplete=current-password]"),
    page.getByLabel("Tones in each group", { exact: true }),
  ]
  await reader.tabTo(name)
  await reader.press("Enter")
  await page.waitForFunction(() => document.activeElement?.matches("section"))
  const { role, name: summary } = await reader.focused()
  assert.deepEqual([role, summary], ["region", "3 fields need a look"])
  await reader.tabTo(name)
  assert.deepEqual(await reader.focused(), {
    role: "textbox",
    name: "Account or e-mail",
    description: "Enter your account number or e-mail",
    invalid: true,
  })
  await reader.type(account)
  await reader.tabTo(password)
  await reader.type("not the password")
  await reader.tabTo(page.getByRole("button", { name: "Hear tones instead" }))
  await reader.press("Enter")
  await code.and(page.locator(":focus")).waitFor()
  assert.match((await reader.focused()).description, /how many each has/)
  await countTones(page, reader, code)
  await reader.press("Enter")
  await reader.hears(/password/i)
  for (const guess of ["nor is this", word]) {
    await password.focus()
    await reader.press("Control+a")
    await reader.type(guess)
    await countTones(page, reader, code)
    const answered = page.waitForResponse(/\/api\/auth\/login$/)
    await reader.press("Enter")
    await answered
  }
  // After two failures a slide is asked for: whoever heard the captcha counts again.
  const sheet = page.getByRole("dialog", { name: "Slide verification" })
  const slid = sheet.getByLabel("Tones in each group", { exact: true })
  await slid.and(page.locator(":focus")).waitFor()
  await reader.tabTo(sheet.getByRole("button", { name: "See a picture instead" }))
  await reader.press("Enter")
  await sheet.getByRole("button", { name: "Hear tones instead" }).and(page.locator(":focus")).waitFor()
  await reader.press("Enter")
  await slid.and(page.locator(":focus")).waitFor()
  await countTones(page, reader, slid, sheet)
  await reader.press("Enter")
  await arrives("Home")
  await tokenOf(page, product)

  await reader.tabTo(leads("/node3"))
  await reader.press("Enter")
  await arrives("Top up")
  await reader.tabTo(main.getByRole("button", { name: "Send test USDT" }))
  await reader.press("Enter")
  const deposit = main.getByRole("button", { name: /\+100\.00 USDT/ }).first()
  await deposit.waitFor()
  await reader.hears(/\+?100\.00 USDT/)
  await reader.tabTo(deposit)
  await reader.press("Enter")
  await trapped(page, reader)
  assert.ok(await deposit.evaluate((row) => row === document.activeElement), "the sheet gives the focus back")

  await openScreen(page, `${product.url}/game`)
  await reader.tabTo(main.locator('a[href^="/game1"]').first())
  await reader.press("Enter")
  await arrives("Odd / Even")
  const plates = main.getByRole("group", { name: "What the digit will be" }).getByRole("radio")
  await reader.tabTo(plates.first())
  await reader.press("Space", "ArrowRight")
  assert.ok(await plates.nth(1).isChecked())
  const stake = main.getByLabel("Stake", { exact: true })
  await reader.tabTo(stake)
  await reader.type("10")
  await reader.press("Escape")
  await page.getByRole("group", { name: "Keypad" }).waitFor({ state: "detached" })
  await untilThereIsTime(page)
  const bet = main.getByRole("button", { name: /^Bet 10 USDT on/ })
  await bet.and(page.locator(":enabled")).waitFor({ timeout: ROUND_MS })
  await reader.tabTo(bet)
  await reader.press("Enter")
  const confirm = main.getByRole("button", { name: /^Confirm 10 USDT/ })
  await reader.tabTo(confirm)
  await reader.press("Enter")
  await confirm.waitFor({ state: "detached" })
  await reader.hears(/10 USDT on/)
  assert.deepEqual([...new Set(reader.problems)], [])
  await context.close()
}

async function everyScreen(run: TestContext): Promise<void> {
  const member = await newMember(product, "5000")
  // Without one /address3 has no sheet.
  await setOutPassword(product, member, OUT)
  await page.addInitScript(layout.watchMotion)
  await page.emulateMedia({ reducedMotion: "reduce" })
  const session = await page.context().newCDPSession(page)
  await page.goto(`${product.url}/login`)
  const findings: string[] = []
  const first = turn()
  const look = async (path: string, place: number, sheet?: string) => {
    const spoken = ALL ? languages : languages.slice((first + place) % languages.length).slice(0, 1)
    for (const { code, tag } of spoken) {
      await page.evaluate(
        (language) => localStorage.setItem("kalos.settings", JSON.stringify({ language })),
        code,
      )
      if (sheet === undefined) await openScreen(page, product.url + path)
      else await openSheet(page, product.url + path, sheet)
      const found = await shownFaults(page, session)
      found.push(...(await axeFaults(page)))
      found.push(...(await page.evaluate(layout.longMotions)).map((one) => `moves: ${one}`))
      found.push(...(await deadLinks(page)))
      if ((await page.locator("html").getAttribute("lang")) !== tag) found.push("is in another language")
      if ((await page.locator("h1").count()) !== 1) found.push("has not one title")
      if ((await page.locator("main").count()) !== 1) found.push("has not one main part")
      findings.push(...found.map((one) => `${path} ${sheet ?? ""} ${tag}: ${one}`))
    }
  }
  for (const [place, path] of [...OPEN, ...DOORS].entries()) await look(path, place)
  await page.evaluate((value) => localStorage.setItem("kalos.token", value), member.token)
  const linked = new Map<string, string>()
  for (const [place, path] of inside.entries()) {
    await look(path, OPEN.length + place)
    for (const link of await linksOf(page)) linked.set(new URL(link, product.url).pathname, link)
  }
  for (const [place, link] of [...linked.values()].entries()) await look(link, place)
  for (const [place, [path, sheet]] of SHEETS.entries())
    if (ALL || (first + place) % SHEETS_IN_CI === 0) await look(path, place, sheet)
  run.diagnostic(
    `${OPEN.length + inside.length + linked.size} screens, the first in ${languages[first % languages.length]?.tag}`,
  )
  assert.deepEqual(findings, [])
}

/** The screen's faults in each of the ways that it is shown, by their names. */
async function shownFaults(page: Page, session: CDPSession): Promise<string[]> {
  const found: string[] = []
  for (const { name, width, height, text = 16, spaced } of SHOWN) {
    await page.setViewportSize({ width, height })
    await session.send("Page.setFontSizes", { fontSizes: { standard: text } })
    if (spaced) await page.evaluate(layout.spaceText)
    await painted(page)
    const faults = [
      ...(await page.evaluate(layout.layoutFaults, width)),
      ...(await page.evaluate(layout.targetFaults)),
    ]
    if (spaced) await page.evaluate(layout.unspaceText)
    found.push(...faults.map((fault) => `${name}: ${fault}`))
  }
  await session.send("Page.setFontSizes", { fontSizes: { standard: 16 } })
  await page.setViewportSize(PHONE)
  return found
}

/** What axe finds serious or critical in both themes. */
async function axeFaults(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme })
    const paper = theme === "light" ? "paper" : "ink"
    await page.waitForFunction((name) => (document.documentElement.dataset.theme ?? name) === name, paper)
    await painted(page)
    for (const { id, impact, nodes } of await violationsOf(
      page,
      theme === "light" ? {} : { runOnly: COLOURS },
    )) {
      if (impact !== "serious" && impact !== "critical") continue
      found.push(
        ...nodes.map(({ target, any }) =>
          `${theme}: ${id} ${target.join(" ")} ${any[0]?.message ?? ""}`.trim(),
        ),
      )
    }
  }
  return found
}

/** Links of this page that lead to a screen that isn't built. */
async function deadLinks(page: Page): Promise<string[]> {
  const paths = await page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
  return paths.filter((path) => !isBuilt(path)).map((path) => `leads to ${path}, which isn't built`)
}

/** Links of this page that lead with a query to a built screen whose parts aren't looked at by name. */
async function linksOf(page: Page): Promise<string[]> {
  const plain = new Set(built.filter((route) => !inside.some((path) => path.startsWith(`${route}?`))))
  const links = await page
    .locator('a[href^="/"][href*="?"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute("href")))
  return links.filter((link): link is string => link !== null && plain.has(link.slice(0, link.indexOf("?"))))
}

/** What follows its last control hands the focus back to the sheet, a task later. */
async function keepsFocus(page: Page): Promise<void> {
  const isInside = () => document.querySelector("[role=dialog]")?.contains(document.activeElement)
  await page.waitForFunction(isInside).catch(async () => {
    const has = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
    assert.fail(`the sheet doesn't keep the focus: ${has} has it`)
  })
}

/** An open sheet: named, it keeps the focus however often Tab is pressed, and Escape closes it. */
async function trapped(page: Page, reader: Reader): Promise<void> {
  const sheet = page.getByRole("dialog")
  await sheet.waitFor()
  const name = await sheet.evaluate(
    (panel) => document.getElementById(panel.getAttribute("aria-labelledby") ?? "")?.textContent,
  )
  assert.ok(name, "the sheet has a name")
  await page.waitForFunction(() => document.querySelector("[role=dialog]")?.contains(document.activeElement))
  const steps = await sheet.locator("a[href],button,input").count()
  for (let step = 0; step <= steps; step++) {
    await reader.press("Tab")
    await keepsFocus(page)
  }
  await reader.press("Shift+Tab")
  await keepsFocus(page)
  await reader.press("Escape")
  await sheet.waitFor({ state: "detached" })
}
