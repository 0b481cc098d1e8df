/** What stands before the page's code has come stands where the screen will: nothing moves when React takes over. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { Page } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { newMember, soon } from "./support/people.ts"
import { languages, openScreen, settled } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const CODE = /\/assets\/index-[\w-]+\.js$/
const SCREEN = /\/assets\/HomePage-[\w-]+\.js$/
const OPENING = "**/api/wire/open"
/** The entry runs in far less. */
const LATE_MS = 1_500
const SLACK = 1
/** Before the first screen: two turns of the six that come at once over HTTP/1.1, and the script that draws the sketch. */
const FILES = 13
const WAYS = [
  ...languages.map(({ code }) => ({ language: code, theme: "dark" as const })),
  { language: "ko", theme: "light" as const },
]

type Box = [x: number, y: number, width: number, height: number]
interface Mark {
  name: string
  box: Box
}

const { product, browser, page } = await useProduct()
const { token } = await newMember(product, "1234.5")

// How many texts, icons and fields are compared at least: an empty sketch would be like anything.
for (const { path, least, drawn } of [
  { path: "/login", least: 10, drawn: "[data-sketch=login]" },
  { path: "/home", least: 17, drawn: "[data-total]:not([hidden])" },
])
  for (const { theme, language } of WAYS)
    test(`the sketch of ${path} is the screen: ${theme}, ${language}`, async () => {
      await choose(path === "/home" ? token : null, language)
      await page.emulateMedia({ colorScheme: theme })
      const release = await hold(CODE)
      try {
        await page.goto(product.url + path, { waitUntil: "commit" })
        await page.locator(drawn).waitFor()
        const [sketch, look] = [await marks(page), await lookOf(page)]
        assert.ok(sketch.length >= least, `only ${sketch.length} marks`)
        release()
        await page.locator("[data-sketch]").first().waitFor({ state: "detached" })
        let screen: Mark[]
        do {
          await settled(page)
          screen = await marks(page)
        } while ((await page.locator("[aria-busy=true]").count()) > 0)
        const boxes = (of: string) => screen.filter(({ name }) => name === of).map(({ box }) => box)
        const moved = sketch.filter(({ name, box }) => !boxes(name).some((other) => isNear(box, other)))
        assert.deepEqual(
          moved.map(({ name, box }) => `${name}: ${box} is ${boxes(name).join(" or ")}`),
          [],
        )
        assert.equal(look, await lookOf(page))
      } finally {
        release()
        await page.unroute(CODE)
      }
    })

test("the sketch stands until the screen's own code has come", async () => {
  await choose(token, "en")
  const release = await hold(SCREEN)
  const sketch = page.locator("[data-sketch=home]")
  try {
    await page.goto(`${product.url}/home`, { waitUntil: "commit" })
    await page.locator("[data-total]:not([hidden])").waitFor()
    await sleep(LATE_MS)
    assert.ok(await sketch.isVisible())
    release()
    await page.getByRole("link", { name: "Top up" }).waitFor()
    assert.equal(await sketch.count(), 0)
  } finally {
    release()
    await page.unroute(SCREEN)
  }
})

test("what was last seen is in the sketch before anything is answered", async () => {
  await choose(token, "en")
  await page.goto(`${product.url}/home`)
  await page.getByText("1,234").first().waitFor()
  await soon(() => page.evaluate(isKept))
  await sleep(LATE_MS)
  const release = await hold(/\/api\/|\/assets\/index-/)
  try {
    await page.goto(`${product.url}/home`, { waitUntil: "commit" })
    const figure = page.locator("[data-sketch=home] [data-total]:not([hidden])")
    await figure.waitFor()
    assert.equal(await figure.textContent(), "1,234.50")
  } finally {
    release()
    await page.getByRole("link", { name: "Top up" }).waitFor()
    await page.unrouteAll({ behavior: "ignoreErrors" })
  }
})

test("the balance that came at the second try is in the sketch", async () => {
  await choose(token, "en")
  const release = await hold(SCREEN)
  let opened = 0
  await page.route(OPENING, async (route) => {
    // As a busy server answers: in clear, and with nothing to go on with.
    if (++opened > 1) await route.continue()
    else await route.fulfill({ json: { code: 429, msg: "too many", data: null } })
  })
  try {
    await page.goto(`${product.url}/home`, { waitUntil: "commit" })
    await page.locator("[data-sketch=home] [data-total]:not([hidden])").waitFor()
    assert.ok(opened > 1)
  } finally {
    release()
    await page.getByRole("link", { name: "Top up" }).waitFor()
    await page.unroute(SCREEN)
    await page.unroute(OPENING)
  }
})

for (const path of ["/login", "/home"])
  test(`the code of ${path} is named in its page, and none of it is asked for later`, async () => {
    const { page, context } = await Phone.open(browser)
    if (path === "/home")
      await page.addInitScript((value) => localStorage.setItem("kalos.token", value), token)
    await page.addInitScript(noteScreen)
    await openScreen(page, `${product.url}${path}`)
    const needed = await page.evaluate(scriptsOfScreen)
    await context.close()
    const text = await (await fetch(`${product.url}${path}`)).text()
    const named = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, name]) => name)
    assert.ok(needed.length > 2)
    assert.deepEqual(
      needed.filter((name) => !named.includes(name)),
      [],
    )
    assert.ok(new Set(named).size <= FILES, `${new Set(named).size} files before the first screen`)
  })

/** Mark when the screen took the sketch's place; what waits for an idle moment begins then, on a slow machine too. */
function noteScreen(): void {
  const [idle, held] = [requestIdleCallback, [] as Parameters<typeof requestIdleCallback>[]]
  globalThis.requestIdleCallback = (...asked) => held.push(asked)
  new MutationObserver((_changes, watch) => {
    if (document.readyState === "loading" || document.querySelector("[data-sketch]") !== null) return
    performance.mark("screen")
    watch.disconnect()
    globalThis.requestIdleCallback = idle
    for (const asked of held) idle(...asked)
  }).observe(document, { childList: true, subtree: true })
}

/** The scripts that the page had when its screen was first drawn. */
function scriptsOfScreen(): string[] {
  const shown = performance.getEntriesByName("screen")[0]?.startTime ?? 0
  return performance
    .getEntriesByType("resource")
    .filter(
      (entry) => entry.name.endsWith(".js") && (entry as PerformanceResourceTiming).responseEnd <= shown,
    )
    .map(({ name }) => new URL(name).pathname)
}

/** Whether the device has a record of what was seen. */
function isKept(): Promise<boolean> {
  return new Promise((done) => {
    const opening = indexedDB.open("kalos", 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore("answers")
    opening.onsuccess = () => {
      const asked = opening.result.transaction("answers").objectStore("answers").count()
      asked.onsuccess = () => {
        opening.result.close()
        done(asked.result > 0)
      }
    }
  })
}

/** Let none of these files through until what is returned is called. */
async function hold(files: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  await page.route(files, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Put session and language on the device, which keeps nothing else; the next load begins with them. */
async function choose(session: string | null, language: string): Promise<void> {
  // At the door, where nothing is kept: the page before would keep once more what is taken away here.
  if (page.url() !== "about:blank") await page.evaluate(() => localStorage.clear())
  await page.goto(`${product.url}/login`)
  await page.evaluate(
    ([token, settings]) => {
      localStorage.setItem("kalos.settings", settings ?? "")
      if (token) localStorage.setItem("kalos.token", token)
      return new Promise<void>((done) => {
        indexedDB.deleteDatabase("kalos").onsuccess = () => done()
      })
    },
    [session, JSON.stringify({ language, offered: true })],
  )
}

const isNear = (one: Box, other: Box): boolean =>
  one.every((side, at) => Math.abs(side - (other[at] ?? 0)) <= SLACK)

const lookOf = (page: Page): Promise<string> =>
  page.evaluate(() => `${document.documentElement.lang} ${getComputedStyle(document.body).color}`)

/** Each text, icon and field on the screen with its box. */
async function marks(page: Page): Promise<Mark[]> {
  return await page.evaluate(async () => {
    // Asked this early some browsers tell where things would stand without their style.
    const styles = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
    await Promise.all(
      styles.map((one) => one.sheet ?? new Promise((come) => one.addEventListener("load", come))),
    )
    await document.fonts.ready
    const found: Mark[] = []
    const add = (name: string, { x, y, width, height }: DOMRect) => {
      found.push({ name, box: [x, y, width, height] })
    }
    const range = document.createRange()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node instanceof Element ? node : node.parentElement
      const text = node.nodeValue?.trim()
      // What only readers find is clipped to nothing.
      if (!holder?.checkVisibility() || holder.getBoundingClientRect().width <= 1) continue
      if (node instanceof Element) {
        if (node.localName === "svg")
          add(`icon ${node.querySelector("path,rect")?.outerHTML}`, holder.getBoundingClientRect())
        if (node.matches(".ring-field")) add("field", holder.getBoundingClientRect())
      } else if (text) {
        range.selectNodeContents(node)
        add(text, range.getBoundingClientRect())
      }
    }
    return found
  })
}
