/**
 * How each part of the kit looks in both themes, as small pictures that are kept and compared.
 *
 * A picture is a part's section at a quarter of its size: edges of letters, which differ from one Chromium to the next,
 * melt into their surroundings, while colours, places and sizes stay. Time stands still, and so does whatever moves.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pixelmatch from "pixelmatch"
import type { Browser, Locator, Page } from "playwright-core"
import { PNG } from "pngjs"
import { Phone, underWay } from "./browser.ts"

export const PLACE = join(import.meta.dirname, "../looks")
export const THEMES = ["dark", "light"] as const
export type Theme = (typeof THEMES)[number]
export type Looks = Map<string, PNG>

// The clock runs from its first moment on; it is stopped where it can't have come to yet.
const FIRST = new Date("2026-11-22T03:00:00Z")
const START = new Date("2026-11-22T03:04:05Z")
export const LATER = new Date("2026-11-22T03:04:25Z")
/** The page's code starts once the first frame was drawn, or after so long. */
const FRAME_MS = 100
const TURNS = 10
const SHRINK = 4
/** A picture is compared as it is, for shapes and places, and once more much smaller, where only colours are left. */
const SHAPES = { tolerance: 0.08, most: 0.006 }
const COLOURS = { tolerance: 0.01, most: 0.015, shrink: 8 }
const PATIENCE = 30_000
const STEP_MS = 100
const REST_TURNS = 2
const PIECE = 4096

/** Where the pictures of what opens are kept. */
export const OPENED = join(PLACE, "opened")

/** The gallery with its clock stopped, twenty seconds after it was opened. */
export async function openStill(browser: Browser, url: string): Promise<Phone> {
  const phone = await Phone.open(browser, { away: true, sharp: true })
  const { page } = phone
  const asked = underWay(page)
  await page.clock.install({ time: FIRST })
  await page.clock.pauseAt(START.getTime() - FRAME_MS)
  await page.goto(url)
  await page.clock.runFor(FRAME_MS)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.evaluate(frames)
  await page.clock.pauseAt(LATER)
  await page.locator('[data-part="QR"] svg').waitFor()
  // An answer's way to the screen takes a few turns of the clock, and between them what no clock of the page holds.
  for (let turn = 0; turn < TURNS; turn++) {
    await page.clock.runFor(100)
    for (const until = Date.now() + PATIENCE; asked.size > 0 && Date.now() < until; ) await sleep(FRAME_MS)
    await page.evaluate(frames)
  }
  await page.evaluate(settle)
  return phone
}

/** Every part as it looks now. */
export async function look(page: Page, theme: Theme): Promise<Looks> {
  await wear(page, theme)
  const parts = await page.evaluate(boxes)
  const all = await whole(page)
  return new Map(parts.map(({ name, ...box }) => [`${name}-${theme}`, shrunk(all, box, SHRINK)]))
}

/** How one part of the window looks now in both themes, or all of the window. */
export async function lookAt(page: Page, name: string, part?: Locator): Promise<Looks> {
  const looks: Looks = new Map()
  for (const theme of THEMES) {
    // What still comes in while the colours change can stay undrawn until they change again.
    await page.evaluate(rest)
    await wear(page, theme)
    await page.evaluate(rest)
    await page.evaluate(frames)
    const shot = await page.screenshot({ scale: "css", animations: "disabled", timeout: PATIENCE })
    const all = PNG.sync.read(shot)
    looks.set(`${name}-${theme}`, shrunk(all, part ? await boxOf(part) : { x: 0, y: 0, ...all }, SHRINK))
  }
  return looks
}

async function boxOf(part: Locator): Promise<Box> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) }
}

async function wear(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme=${theme === "dark" ? "ink" : "paper"}]`).waitFor()
}

/** Let the page's clock go on until something stands there, and what moves with it has come to rest. */
export async function until(page: Page, there: Locator): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!(await there.isVisible())) {
    if (Date.now() > end) throw new Error(`${there} doesn't come`)
    await page.clock.runFor(STEP_MS)
    await page.evaluate(frames)
  }
  for (let turn = 0; turn < REST_TURNS; turn++) {
    await page.clock.runFor(STEP_MS)
    await page.evaluate(frames)
  }
}

/** The page from its head to its foot, in pieces: Chromium leaves empty what is further down than it can draw at once. */
async function whole(page: Page): Promise<PNG> {
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight,
  }))
  const all = new PNG({ width, height })
  for (let y = 0; y < height; y += PIECE) {
    const clip = { x: 0, y, width, height: Math.min(PIECE, height - y) }
    const piece = await page.screenshot({
      fullPage: true,
      clip,
      scale: "css",
      animations: "disabled",
      timeout: PATIENCE,
    })
    PNG.bitblt(PNG.sync.read(piece), all, 0, 0, width, clip.height, 0, y)
  }
  return all
}

/** The pictures that are kept. */
export function keptLooks(theme: Theme, place = PLACE): Looks {
  const names = readdirSync(place).filter((name) => name.endsWith(`-${theme}.png`))
  return new Map(
    names.map((name) => [name.slice(0, -".png".length), PNG.sync.read(readFileSync(join(place, name)))]),
  )
}

/** What differs, one line for each part; none where all look as they did. */
export function differences(kept: Looks, seen: Looks): string[] {
  const names = [...new Set([...kept.keys(), ...seen.keys()])].sort()
  return names.flatMap((name) => {
    const [before, now] = [kept.get(name), seen.get(name)]
    if (!before) return [`${name}: has no picture yet`]
    if (!now) return [`${name}: is gone`]
    if (before.width !== now.width || before.height !== now.height)
      return [`${name}: was ${sizeOf(before)}, is ${sizeOf(now)}`]
    const shapes = strayOf(before, now, SHAPES.tolerance)
    if (shapes > SHAPES.most) return [`${name}: ${percent(shapes)} of its shapes differ`]
    const colours = strayOf(coarse(before), coarse(now), COLOURS.tolerance)
    return colours > COLOURS.most ? [`${name}: ${percent(colours)} of its colours differ`] : []
  })
}

/** Which share of two pictures of one size lies further apart than `threshold`. */
function strayOf(before: PNG, now: PNG, threshold: number): number {
  const { width, height } = before
  const options = { threshold, includeAA: true }
  return pixelmatch(before.data, now.data, undefined, width, height, options) / (width * height)
}

const coarse = (picture: PNG): PNG =>
  shrunk(picture, { x: 0, y: 0, width: picture.width, height: picture.height }, COLOURS.shrink)

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const sizeOf = ({ width, height }: PNG) => `${width * SHRINK} x ${height * SHRINK}`

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A box of a picture, each point of it the mean of `by` x `by`. */
function shrunk(all: PNG, box: Box, by: number): PNG {
  const small = new PNG({ width: Math.ceil(box.width / by), height: Math.ceil(box.height / by) })
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let channel = 0; channel < 4; channel++)
        small.data[(y * small.width + x) * 4 + channel] = meanOf(all, box, { x, y, by, channel })
  return small
}

function meanOf(
  all: PNG,
  box: Box,
  { x, y, by, channel }: { x: number; y: number; by: number; channel: number },
): number {
  let [sum, points] = [0, 0]
  for (let down = y * by; down < Math.min((y + 1) * by, box.height); down++)
    for (let right = x * by; right < Math.min((x + 1) * by, box.width); right++) {
      sum += all.data[((box.y + down) * all.width + box.x + right) * 4 + channel] ?? 0
      points++
    }
  return Math.round(sum / points)
}

/** Wait until two frames were drawn: an observer is told of each, though the clock that counts them stands. */
async function frames(): Promise<void> {
  for (let frame = 0; frame < 2; frame++)
    await new Promise<void>((drawn) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect()
        drawn()
      })
      observer.observe(document.documentElement)
    })
}

/** Wait until nothing is on its way any more: what moves goes by another clock than the page's. */
async function rest(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(moving.map((one) => one.finished))
}

/** Load what comes late, let parts begin on whole points, and hide the letters that no font of ours has. */
async function settle(): Promise<void> {
  await document.fonts.ready
  for (const image of document.images) image.loading = "eager"
  await Promise.all([...document.images].map((image) => image.decode()))
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]"))
    part.style.minHeight = `${Math.ceil(part.getBoundingClientRect().height)}px`
  const ours = /^[\t-\u024f\u1e00-\u1eff\u2000-\u206f\u20ab\u20ac\u2122\u2191\u2193\u2212\u2215]*$/
  for (const part of document.querySelectorAll<HTMLElement>("[data-part] *")) {
    const own = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    const text = own.map((node) => node.textContent).join("") + ((part as HTMLInputElement).value ?? "")
    if (!ours.test(text)) part.style.color = "transparent"
  }
}

/** Where each part stands on the page. */
function boxes(): (Box & { name: string })[] {
  return [...document.querySelectorAll<HTMLElement>("[data-part]")].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect()
    const round = { x: Math.round(x), y: Math.round(y + scrollY), width: Math.round(width) }
    return { name: part.dataset.part ?? "", ...round, height: Math.round(height) }
  })
}
