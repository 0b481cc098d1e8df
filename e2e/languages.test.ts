/** Every language on the first screens: it comes without a reload, it is kept, and nothing of it is cut off. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { LANGUAGES, type Language } from "../web/src/lib/languages.ts"
import { Phone } from "./support/browser.ts"
import { cutOff } from "./support/cuts.ts"
import { logIn, newMember } from "./support/people.ts"
import { inside, openScreen, turn } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const WEB = join(import.meta.dirname, "../web/src")
const SERVER = join(import.meta.dirname, "../server/src/kalos/locales")
const MOVEMENT = "main a[href$='coin=USDT'] .break-words:first-child"
const WIDE = { width: 390, height: 844 }
const NARROW = { width: 320, height: 844 }
const ENGLISH = LANGUAGES[0] as Language
/** Of so many screens one is looked at with longer texts, others by the next commits. */
const SCREENS_IN_CI = 8
const LENGTHENED = inside.filter(
  (_, place) => process.env.KALOS_SOAK || (turn() + place) % SCREENS_IN_CI === 0,
)
const CATALOGUE = /\/assets\/(en|vi|th|ja|ko|zh-Hans|zh-Hant-TW)-[\w-]{8}\.js$/

const { product, browser, phone, page } = await useProduct()
const member = await newMember(product, "50")

/** Two letters that each language writes and English doesn't. */
const LETTERS = { vn: "ễự", th: "กษ", ja: "あヌ", ko: "가힣", zh: "汉龙", zhTW: "體龍" }

test("this machine draws the letters of each language, not boxes, whose widths would say nothing", async () => {
  await page.goto(`${product.url}/login`)
  const boxes = await page.evaluate((letters) => {
    const drawing = (letter: string) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 48, height: 48 })
      const pen = canvas.getContext("2d")
      if (pen === null) throw new Error("no canvas")
      pen.font = `32px ${getComputedStyle(document.body).fontFamily}`
      pen.fillText(letter, 4, 36)
      return canvas.toDataURL()
    }
    // What no font has is drawn alike, whatever it is.
    return Object.entries(letters)
      .filter(([, pair]) => new Set([...pair].map(drawing)).size < 2)
      .map(([language]) => language)
  }, LETTERS)
  assert.deepEqual(boxes, [], "no font for these languages: see README.md")
})

test("the page loads the texts of its language alone, and each other one when it is chosen", async () => {
  const loaded = cataloguesOf(page)
  await page.goto(`${product.url}/login`)
  await isIn(page, ENGLISH, "identity", "Log in")
  assert.deepEqual([...loaded], ["en"])
  const asked = LANGUAGES.slice(1)
  for (const [index, language] of asked.entries()) {
    await choose(page, asked[index - 1] ?? ENGLISH, language)
    await isIn(page, language, "identity", "Log in")
    assert.deepEqual([...loaded].at(-1), language.tag)
    assert.deepEqual(await cutOff(page, WIDE), [], language.code)
    assert.deepEqual(await cutOff(page, NARROW), [], language.code)
    await page.setViewportSize(WIDE)
    await phone.shot(`login-${language.code}`)
  }
  assert.equal(loaded.size, LANGUAGES.length)
  await page.reload()
  await isIn(page, asked.at(-1) ?? ENGLISH, "identity", "Log in")
  await choose(page, asked.at(-1) ?? ENGLISH, ENGLISH)
})

test("a choice in one tab changes the other, and the server's sentences with it", async () => {
  await logIn(page, product, member.account, member.password)
  await page.getByText("Last movements").waitFor()
  const spoken = new Set<string>()
  page.on("request", (request) => {
    if (/finance/i.test(request.url())) spoken.add(request.headers().lang ?? "")
  })
  const other = await phone.context.newPage()
  await other.goto(`${product.url}/me3`)
  await page.bringToFront()
  const kind = keyOf((await page.locator(MOVEMENT).first().textContent()) ?? "")
  for (const language of [...LANGUAGES.slice(1), ENGLISH]) {
    await other.evaluate((code) => {
      const settings = JSON.parse(localStorage.getItem("kalos.settings") ?? "{}")
      localStorage.setItem("kalos.settings", JSON.stringify({ ...settings, language: code }))
    }, language.code)
    await isIn(page, language, "overview", "Home")
    await page
      .locator(MOVEMENT, { hasText: serverText(language, kind) })
      .first()
      .waitFor()
    assert.deepEqual(await cutOff(page, WIDE), [], language.code)
    assert.deepEqual(await cutOff(page, NARROW), [], language.code)
    await page.setViewportSize(WIDE)
    await phone.shot(`home-${language.code}`)
  }
  assert.deepEqual([...spoken].sort(), LANGUAGES.map(({ header }) => header).sort())
})

test("a text that doesn't fit is noticed", async () => {
  await page.evaluate(() => {
    const box = document.querySelector("main")?.appendChild(document.createElement("div"))
    const wide = document.querySelector("main")?.appendChild(document.createElement("div"))
    const label = document.querySelector("nav.fixed span")
    if (!box || !wide || !label) throw new Error("no such places")
    Object.assign(box.style, { width: "40px", overflow: "hidden", whiteSpace: "nowrap" })
    Object.assign(wide.style, { width: "500px" })
    box.textContent = "hidden in part"
    wide.textContent = "wide ".repeat(20)
    label.textContent = "two lines of a label that is far too long"
    label.className = ""
  })
  const cuts = (await cutOff(page, NARROW)).join()
  for (const sign of ["scrolls sideways", "cut off: hidden", "beside the page: wide", "on two lines: two"])
    assert.ok(cuts.includes(sign), `${sign}: ${cuts}`)
})

test("texts that are two fifths longer are not cut off either", async () => {
  const long = await Phone.open(browser)
  await long.context.route(CATALOGUE, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: lengthened(await response.text()) })
  })
  for (const path of ["login", "home"]) {
    await long.page.goto(`${product.url}/${path}`)
    await long.page.getByText("~~").first().waitFor()
    await long.page.waitForLoadState("networkidle")
    assert.deepEqual(await cutOff(long.page, NARROW), [], path)
    await long.shot(`${path}-long`)
    await long.page.evaluate((value) => localStorage.setItem("kalos.token", value), member.token)
  }
  const cut: string[] = []
  for (const path of LENGTHENED) {
    await openScreen(long.page, product.url + path)
    cut.push(...(await cutOff(long.page, NARROW)).map((text) => `${path}: ${text}`))
  }
  assert.deepEqual(cut, [])
  // What is fetched ahead may still be on its way.
  await long.context.unrouteAll({ behavior: "wait" })
  await long.context.close()
})

test("the browser's language is offered on the first visit, and taken with one press", async () => {
  const visitor = await Phone.open(browser, { locale: "ja-JP" })
  await visitor.page.goto(`${product.url}/login`)
  await isIn(visitor.page, ENGLISH, "identity", "Log in")
  const offer = visitor.page.getByRole("button", { name: "Kalos を日本語で使う" })
  await visitor.shot("login-offer")
  await offer.click()
  const japanese = LANGUAGES.find(({ code }) => code === "ja") ?? ENGLISH
  await isIn(visitor.page, japanese, "identity", "Log in")
  assert.equal(await offer.count(), 0)
  await visitor.context.close()
})

/** The languages whose catalogues the page has asked for, in their order. */
function cataloguesOf(page: Page): Set<string> {
  const found = new Set<string>()
  page.on("request", (request) => {
    const tag = CATALOGUE.exec(request.url())?.[1]
    if (tag !== undefined) found.add(tag)
  })
  return found
}

/** Open the choice of languages, by its name in the present one, and take another. */
async function choose(page: Page, present: Language, next: Language): Promise<void> {
  await page.getByRole("button", { name: textOf(present, "identity", "Language") }).click()
  await page.getByRole("dialog").getByText(next.name, { exact: true }).click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
}

/** Wait until the page is whole in a language: its title, its own mark of it, and its name. */
async function isIn(page: Page, { tag }: Language, feature: string, title: string): Promise<void> {
  const text = `${textOf({ tag }, feature, title)} · Kalos`
  await page.waitForFunction(
    ([lang, wanted]) => document.documentElement.lang === lang && document.title === wanted,
    [tag, text] as const,
  )
}

function textOf({ tag }: Pick<Language, "tag">, feature: string, message: string): string {
  const catalogue = readFileSync(`${WEB}/features/${feature}/locales/${tag}.po`, "utf8")
  return new RegExp(`^msgid "${message}"\\nmsgstr "(.+)"$`, "m").exec(catalogue)?.[1] ?? message
}

/** The key of a sort of movement in the server's English. */
function keyOf(title: string): string {
  const line = readFileSync(`${SERVER}/en.toml`, "utf8")
    .split("\n")
    .find((line) => line.endsWith(`" = "${title}"`))
  return line?.split(" = ")[0] ?? assert.fail(`the server has no movement "${title}"`)
}

function serverText({ header }: Language, key: string): string {
  const lines = readFileSync(`${SERVER}/${header}.toml`, "utf8").split("\n")
  return JSON.parse(lines.find((line) => line.startsWith(`${key} = `))?.slice(key.length + 3) ?? '""')
}

/** A built catalogue whose words are two fifths longer; holes and tags stay. */
function lengthened(code: string): string {
  const grow = (text: string) =>
    text + "~~~~~ ".repeat(Math.ceil(text.length / 15)).slice(0, Math.ceil(text.length * 0.4))
  return code.replace(/JSON\.parse\((["'`])(.*?)\1\)/s, (_all, _quote, json) => {
    const texts = JSON.parse(json.replace(/\\(.)/g, "$1")) as Record<string, unknown[]>
    for (const parts of Object.values(texts))
      for (const [index, part] of parts.entries())
        if (typeof part === "string" && /[a-z]{2}/.test(part)) parts[index] = grow(part)
    return `JSON.parse(${JSON.stringify(JSON.stringify(texts))})`
  })
}
