/** Every built screen while its answers don't come: nothing in them, late, faulty, no network, a session that ended. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page, Request } from "playwright-core"
import { violationsOf } from "./support/axe.ts"
import { Phone, underWay } from "./support/browser.ts"
import { type Member, newMember } from "./support/people.ts"
import { built, OPEN, painted, turn } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const ALL = Boolean(process.env.KALOS_SOAK)
/** Of so many pairs of a screen and a state one is looked at, others by the next commits. */
const PAIRS_IN_CI = 6
const CALLS = /\/(api|v1)\//
const CHANNEL = /\/api\/wire\/open$/
/** Between two tries for an answer, and before a screen says that it takes long, lies less than all of these. */
const TURN_MS = 2_500
const TURNS = 4
const PATIENCE_MS = 60_000
/** What comes into view asks for more: nothing waits any more where nothing has for so long. */
const CALM_TURNS = 3
/** What asks again by itself does so within them: every 10 s where the socket is away. */
const AGAIN_TURNS = 5
const REST_MS = 100

/** Every built screen, with what it needs to have something to ask for. */
const SCREENS = built.map((path) => (path === "/bulletin-detail" ? "/bulletin-detail?id=1" : path))
/** Their words and figures come with the page: rules, samples, versions, checksums. */
const WITH_FIGURES = new Set([...OPEN, "/me3", "/help", "/wallet-register", "/software-download"])
/** They ask the server for nothing that needs a session. */
const WITHOUT_CALLS = new Set([...OPEN, "/help", "/wallet-register", "/software-download"])

interface State {
  name: string
  /** What keeps the answers back. */
  break: (phone: Phone) => Promise<unknown>
  /** Its answers never come. */
  waits?: boolean
  /** Its answers may hold figures. */
  answers?: boolean
  /** The member's session has ended. */
  ended?: boolean
}

const STATES: readonly State[] = [
  { name: "empty", break: async () => undefined, answers: true },
  { name: "slow", break: ({ context }) => context.route(CALLS, () => undefined), waits: true },
  {
    name: "faulty",
    break: async ({ context }) => {
      await context.route(CALLS, (route) => route.fulfill({ status: 500, body: "Internal Server Error" }))
      await context.route(CHANNEL, (route) => route.continue())
    },
  },
  {
    name: "offline",
    break: async ({ context }) => {
      await context.route(/\/(api|v1|healthz)/, (route) => route.abort())
      await context.routeWebSocket(/./, (socket) => socket.close())
    },
  },
  { name: "ended", break: async () => undefined, answers: true, ended: true },
]

const { product, browser } = await useProduct()

test("a screen whose answers don't come invents no figure, has one title, a way on, and can be read by everyone", async (run) => {
  const [fresh, gone] = await Promise.all([newMember(product), newMember(product)])
  await product.call("/api/auth/logout", {}, gone.token)
  const first = turn()
  const looked: Looked[] = []
  const left = [...STATES.entries()]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [place, state] = next
      const paths = SCREENS.filter(
        (path, index) =>
          (ALL || (first + place + index) % PAIRS_IN_CI === 0) && !(state.ended && WITHOUT_CALLS.has(path)),
      )
      looked.push(...(await look(state, paths, state.ended ? gone : fresh, first)))
    }
  }
  // Two browsers' worth at a time: more only wait for each other.
  await Promise.all([lane(), lane()])
  run.diagnostic(`${looked.length} screens in ${STATES.length} states`)
  assert.deepEqual(
    looked.flatMap(({ path, state, faults }) => faults.map((fault) => `${path} ${state}: ${fault}`)),
    [],
  )
})

test("a figure, a missing title, a missing way on and what can't be read are noticed", async () => {
  const phone = await Phone.open(browser, { away: true })
  await phone.page.setContent(
    '<html lang="en"><title>x</title><main><p style="color: #eee; background: #fff">Balance 5</p><button disabled>Send</button></main></html>',
  )
  const faults = await faultsOf(phone.page, { figures: false })
  assert.deepEqual(
    faults.map((fault) => fault.split(":")[0]),
    ["has 0 titles", "has no way on", "shows a figure", "color-contrast"],
  )
  await phone.context.close()
})

interface Looked {
  path: string
  state: string
  faults: string[]
}

/** Open these screens in a state, one after the other in a browser that has seen none of them before. */
async function look(
  state: State,
  paths: readonly string[],
  member: Member,
  first: number,
): Promise<Looked[]> {
  const phone = await Phone.open(browser, { away: true })
  const { page } = phone
  const asked = underWay(page)
  await page.clock.install()
  await state.break(phone)
  const looked: Looked[] = []
  for (const [place, path] of paths.entries()) {
    const token = (OPEN as readonly string[]).includes(path) ? null : member.token
    await beSomebody(page, token)
    await page.emulateMedia({ colorScheme: (first + place) % 2 === 0 ? "light" : "dark" })
    // Pictures that don't come keep a page from being loaded, not from being shown.
    await page.goto(product.url + path, { waitUntil: "commit" })
    if (state.ended) await page.getByText("Please log in").first().waitFor()
    await comeToRest(page, state.waits ? null : asked)
    const came = state.answers || state.waits ? [] : await waitsThatCome(page)
    const figures = state.answers === true || WITH_FIGURES.has(path)
    const faults = await faultsOf(page, { figures })
    const busy = page.locator("[aria-busy=true]")
    if (!state.waits && (await busy.count()) > 0)
      faults.push(
        `still waits: ${await busy.first().evaluate((one) => one.parentElement?.outerHTML.slice(0, 300))}`,
      )
    faults.push(...came.map((part) => `waits again by itself: ${part}`))
    if (state.ended) faults.push(...(await doorFaults(page, path)))
    const banner = page.getByText("No connection to the server. What")
    if (state.name === "offline" && !WITHOUT_CALLS.has(path) && !(await banner.isVisible()))
      faults.push("doesn't say that nothing answers")
    looked.push({ path, state: state.name, faults })
    await phone.shot(`${path.slice(1).replace("?", "-")}-${state.name}`)
  }
  await phone.context.close()
  return looked
}

/** Begin as a member on a device, or as nobody: from a page that runs none of the product's code. */
async function beSomebody(page: Page, token: string | null): Promise<void> {
  await page.goto(`${product.url}/icon.svg`)
  await page.evaluate((value) => {
    localStorage.clear()
    sessionStorage.clear()
    if (value !== null) localStorage.setItem("kalos.token", value)
  }, token)
}

/**
 * Until everything was asked for as often as it is; minutes pass in a moment, but none while something is `asked`: what
 * the server takes is no wait of the page's. Null: nothing is ever answered, and who waits is told so.
 */
async function comeToRest(page: Page, asked: ReadonlySet<Request> | null): Promise<void> {
  await page.locator("h1").first().waitFor({ timeout: PATIENCE_MS })
  const until = Date.now() + PATIENCE_MS
  let calm = 0
  for (let step = 0; asked ? calm < CALM_TURNS && Date.now() < until : step < TURNS; step++) {
    await page.waitForTimeout(REST_MS)
    if (asked && asked.size > 0) continue
    await page.clock.fastForward(TURN_MS)
    calm = (await page.locator("[aria-busy=true]").count()) === 0 ? calm + 1 : 0
  }
  const open = calm < CALM_TURNS ? [...(asked ?? [])].map((one) => one.url()) : []
  assert.deepEqual(open, [], "still without an answer")
  await page.waitForTimeout(REST_MS)
  await page.locator("h1").first().waitFor()
  await painted(page)
}

/** Which parts of a screen that has said its failure are taken back by a wait, while it is asked for again by itself. */
async function waitsThatCome(page: Page): Promise<string[]> {
  const came = await page.evaluateHandle(() => {
    const parts = new Set<string>()
    const look = () => {
      for (const wait of document.querySelectorAll("[aria-busy=true]"))
        parts.add(wait.parentElement?.outerHTML.slice(0, 300) ?? "")
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
    return parts
  })
  for (let turn = 0; turn < AGAIN_TURNS; turn++) {
    await page.clock.fastForward(TURN_MS)
    await page.waitForTimeout(REST_MS)
  }
  return await came.evaluate((parts) => [...parts])
}

/** What is wrong with a screen that waits for its answers, or got none. */
async function faultsOf(page: Page, { figures }: { figures: boolean }): Promise<string[]> {
  const faults: string[] = []
  const titles = await page.locator("h1").count()
  if (titles !== 1) faults.push(`has ${titles} titles`)
  const ways = page.locator("main a[href], main button:enabled, main input:enabled")
  if ((await ways.filter({ visible: true }).count()) === 0) faults.push("has no way on")
  const text = ((await page.locator("main").textContent()) ?? "").trim()
  if (text === "") faults.push("says nothing")
  if (!figures && /\p{Nd}/u.test(text)) faults.push(`shows a figure: ${text.match(/.{0,20}\p{Nd}.{0,20}/u)}`)
  for (const { id, impact, nodes } of await violationsOf(page))
    if (impact === "serious" || impact === "critical")
      faults.push(...nodes.map(({ target }) => `${id}: ${target.join(" ")}`))
  return faults
}

/** Whoever's session has ended stands at the door, is told why, and comes back to where it was. */
async function doorFaults(page: Page, path: string): Promise<string[]> {
  const { pathname, searchParams } = new URL(page.url())
  const faults: string[] = []
  if (pathname !== "/login") faults.push(`leads to ${pathname}`)
  if (searchParams.get("redirect") !== path) faults.push(`leads back to ${searchParams.get("redirect")}`)
  if ((await page.evaluate(() => localStorage.getItem("kalos.token"))) !== null)
    faults.push("keeps its token")
  return faults
}
