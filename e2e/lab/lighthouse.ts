/** Lighthouse's phone on a slow 4G line, both simulated, over pages of this machine. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import lighthouse from "lighthouse"
import { pageFunctions } from "lighthouse/core/lib/page-functions.js"
import { type BrowserContext, chromium, type Page as Tab } from "playwright-core"
import { LAUNCH } from "../support/launch.ts"
import { servePeer } from "../support/peers.ts"
import { logIn, tokenOf } from "../support/people.ts"
import { freePort, type Product } from "../support/product.ts"

/**
 * Lighthouse's figures of one load: scores of 100, milliseconds, the shift, and its measure of this machine's speed just before
 * (`benchmarkIndex`). `own` is the blocking time by the processor time of the page's tasks instead of their length, in
 * which all else counts that this machine's processors did meanwhile: browser, drawing, and the house itself.
 */
export interface Figures {
  score: number
  lcp: number
  tbt: number
  own: number
  cls: number
  access: number
  machine: number
}

/** `peer`: an empty page of React. */
export type Page = "login" | "home" | "peer"
export type Round = Partial<Record<Page, Figures>>

/** A page that did not load, or of which a figure is missing. */
export class LoadFailed extends Error {}

/** A load that nobody waits for longer than this has failed. */
const LOAD_MS = 30_000
/** What a task may take before it counts as blocking. */
const LONG_MS = 50
/** Answers are kept half a second after they came. */
const KEPT_MS = 2_000

/** The figures of `count` rounds. Raises where a page did not load or leads elsewhere. */
export async function measure(product: Product, count: number, pages: readonly Page[]): Promise<Round[]> {
  const found: Round[] = []
  for await (const round of rounds(product, count, pages)) {
    if (round instanceof LoadFailed) throw round
    found.push(round)
  }
  return found
}

/**
 * Load these pages, home with a stored session, up to `count` times, the order rotated; in a round's place why one of them
 * failed. Raises where a page leads elsewhere.
 */
export async function* rounds(
  product: Product,
  count: number,
  pages: readonly Page[],
): AsyncGenerator<Round | LoadFailed> {
  const folder = await mkdtemp(join(tmpdir(), "kalos-lab-"))
  const port = await freePort()
  const peer = await servePeer()
  const device = <T>(use: (context: BrowserContext) => Promise<T>) => browserOf(folder, port, use)
  try {
    const token = await device((context) => sessionOf(context, product))
    const load = async (name: Page) => {
      if (name !== "peer")
        await device((context) => storeToken(context, product, name === "home" ? token : null))
      return await device(() => figuresOf(name === "peer" ? peer.url : `${product.url}/${name}`, port))
    }
    const round = async (number: number) => {
      const found: Round = {}
      for (const name of rotated(pages, number)) found[name] = await load(name)
      return found
    }
    for (let number = 0; number < count; number++) yield await round(number).catch(failure)
  } finally {
    peer.server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Use a browser on the device whose storage is in `folder`. Each load has one of its own, as Lighthouse itself starts one:
 * a process that showed pages before clears their memory at the next one's beginning, a tenth of a second and more.
 */
async function browserOf<T>(
  folder: string,
  port: number,
  use: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const args = [...LAUNCH.args, `--remote-debugging-port=${port}`]
  const context = await chromium.launchPersistentContext(folder, { ...LAUNCH, args, locale: "en" })
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

function failure(problem: unknown): LoadFailed {
  if (problem instanceof LoadFailed) return problem
  throw problem
}

/** Each figure's median over the rounds. */
export function medianOf(rounds: readonly Round[], page: Page): Figures {
  const middle = (name: keyof Figures) => {
    const sorted = rounds.map((round) => round[page]?.[name] ?? Number.NaN).sort((one, other) => one - other)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  }
  return {
    score: middle("score"),
    lcp: Math.round(middle("lcp")),
    tbt: Math.round(middle("tbt")),
    own: Math.round(middle("own")),
    cls: Math.round(middle("cls") * 10_000) / 10_000,
    access: middle("access"),
    machine: Math.round(middle("machine")),
  }
}

async function figuresOf(url: string, port: number): Promise<Figures> {
  const result = await lighthouse(url, {
    port,
    logLevel: "silent",
    onlyCategories: ["performance", "accessibility"],
    disableFullPageScreenshot: true,
    maxWaitForLoad: LOAD_MS,
  })
  if (result === undefined) throw new LoadFailed(`${url}: no result`)
  const { runtimeError, finalDisplayedUrl, audits, categories, environment, configSettings } = result.lhr
  if (runtimeError) throw new LoadFailed(`${url}: ${runtimeError.message}`)
  if (finalDisplayedUrl !== url) throw new Error(`${url} led to ${finalDisplayedUrl}`)
  const figure = (value: number | null | undefined) => {
    if (value === null || value === undefined) throw new LoadFailed(`${url}: a figure is missing`)
    return value
  }
  const failed = Object.values(categories.accessibility?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0)
    .map(({ id }) => id)
  if (failed.length > 0) process.stderr.write(`${url}: ${failed.join(", ")}\n`)
  return {
    score: Math.round(figure(categories.performance?.score) * 100),
    lcp: figure(audits["largest-contentful-paint"]?.numericValue),
    tbt: figure(audits["total-blocking-time"]?.numericValue),
    own: figure(
      ownBlockingMs(result.artifacts.Trace.traceEvents, configSettings.throttling.cpuSlowdownMultiplier),
    ),
    cls: figure(audits["cumulative-layout-shift"]?.numericValue),
    access: Math.round(figure(categories.accessibility?.score) * 100),
    machine: environment.benchmarkIndex,
  }
}

export interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  /** Processor time in microseconds, of what has a length. */
  tdur?: number
  args: { name?: string }
}

/** What of each task after the first paint is above 50 ms, on a processor so many times `slower`; null without a paint. */
export function ownBlockingMs(events: readonly TraceEvent[], slower: number): number | null {
  const paint = events.findLast(({ name }) => name === "firstContentfulPaint")
  const isMain = ({ name, pid, args }: TraceEvent) =>
    name === "thread_name" && pid === paint?.pid && args.name === "CrRendererMain"
  const thread = events.find(isMain)?.tid
  if (paint === undefined || thread === undefined) return null
  return events
    .filter(
      ({ name, pid, tid, ts }) =>
        /RunTask$/.test(name) && pid === paint.pid && tid === thread && ts >= paint.ts,
    )
    .map(({ tdur = 0 }) => Math.max(0, (tdur / 1000) * slower - LONG_MS))
    .reduce((sum, over) => sum + over, 0)
}

/** The longest task of any page's main thread, in milliseconds of the processor's time. */
export function longestTaskMs(events: readonly TraceEvent[]): number {
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`))
  const times = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]))
  if (times.length === 0) throw new Error("the trace has no processor time of a page's tasks")
  return Math.max(...times)
}

/** This machine's speed, as Lighthouse measures it before a load. */
export const machineOf = (tab: Tab): Promise<number> => tab.evaluate(pageFunctions.computeBenchmarkIndex)

/** The token of a member who logged in as people do. */
export async function sessionOf(context: BrowserContext, product: Product): Promise<string> {
  const page = await context.newPage()
  await page.goto(`${product.url}/login`)
  await logIn(page, product, "10000002", "demo1234")
  await page.waitForURL(`${product.url}/home`)
  const token = await tokenOf(page, product)
  await page.close()
  return token
}

/**
 * Lighthouse keeps what the page stored and forgets what it fetched: a stored session is of somebody who has been there,
 * with what the device keeps of that visit.
 */
async function storeToken(context: BrowserContext, product: Product, token: string | null): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${product.url}/icon.svg`)
  await page.evaluate((value) => {
    localStorage.clear()
    if (value !== null) localStorage.setItem("kalos.token", value)
  }, token)
  if (token !== null) {
    await page.goto(`${product.url}/home`)
    await page.getByRole("link", { name: "Top up" }).waitFor()
    await page.waitForTimeout(KEPT_MS)
  }
  await page.close()
}

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, index) => list[(index + by) % list.length] as T)
}
