/** Which screens this build has, and how one is opened and stands still. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { LANGUAGES, type Language } from "../../web/src/lib/languages.ts"
import { UNBUILT } from "../../web/src/lib/unbuilt.ts"

const ROUTES = join(import.meta.dirname, "../../contract/routes.txt")

/** What a visitor without a session sees. */
export const OPEN = ["/login", "/register"] as const

/** Parts of a screen that its address chooses, where it has the screen. */
const PARTS = [
  "/node3?tab=hash",
  "/node4?tab=records",
  "/address3?pick=true",
  "/node3?tab=records",
  "/game1?view=trend",
  "/game1?view=bets",
  "/game1?view=rules",
  "/me3?view=licences",
  "/me3?view=service",
  "/me3?view=service&ticket=new",
  "/bulletin?tab=news",
  "/me1?view=withdraw",
  "/me1?view=google",
  "/me1?view=login",
  "/me1?view=email",
  "/me1?view=close",
  "/me1?view=sessions",
  "/me1?view=log",
  "/me1?view=word",
  "/me1?view=limits",
  "/me1?view=wallet",
]

/** What a visitor is led to by a link, a mail or a refusal. */
export const DOORS = ["/login?view=forgot", "/login?view=closed", "/login?freeze=abc"] as const

/** Sheets that stand over a screen, by the name that the history keeps; each needs nothing but the screen. */
export const SHEETS: readonly (readonly [string, string])[] = [
  ["/home", "services"],
  ["/node1", "coins"],
  ["/node1?coin=USDT", "dates"],
  ["/address3", "add"],
  ["/me3", "language"],
  ["/me3", "cache"],
  ["/me3", "logout"],
  ["/me1?view=wallet", "bind"],
  ["/me1?view=limits", "limit loss"],
  ["/me1?view=limits", "reminder choice"],
  ["/me1?view=limits", "break"],
  ["/me1?view=limits", "exclusion"],
]

/** Every route of the product. */
export const routes: readonly string[] = readFileSync(ROUTES, "utf8").trim().split("\n")

/** The routes that have their screen. */
export const built: readonly string[] = routes.filter(
  (route) => !(UNBUILT as readonly string[]).includes(route),
)

/** The screens behind the guard with their parts, one that isn't built, and one that nobody knows. */
export const inside: readonly string[] = [
  ...built.filter((route) => !(OPEN as readonly string[]).includes(route)),
  ...PARTS.filter((part) => built.includes(part.slice(0, part.indexOf("?")))),
  ...UNBUILT.slice(0, 1),
  "/no-such-place",
]

export const languages: readonly Language[] = LANGUAGES

/**
 * A number that each commit chooses anew: what CI looks at moves on with it. With KALOS_SOAK a file looks at all of its own;
 * `make soak` runs access so.
 */
export function turn(): number {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, stdio: "pipe" })
    return Number.parseInt(commit.toString().slice(0, 7), 16)
  } catch {
    return 0
  }
}

/** Open a screen, and wait until its content stands. */
export async function openScreen(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

/** Open the sheet of this name over the screen, as a reload or a way back does. */
export async function openSheet(page: Page, url: string, name: string): Promise<void> {
  await openScreen(page, url)
  await page.evaluate((sheet) => history.replaceState({ ...history.state, sheet }, ""), name)
  await page.reload()
  await page.getByRole("dialog").waitFor()
  await settled(page)
  // A screen that doesn't know the sheet takes its step back, to whatever screen stood before it.
  const shown = await page.evaluate(() => [location.href, history.state.sheet])
  if (shown[0] !== url || shown[1] !== name)
    throw new Error(`${url} has no sheet ${name}: ${shown.join(" ")}`)
}

const PATIENCE_MS = 20_000

/** Wait until nothing is on its way any more: no skeleton stands for content, and what moved has moved. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor()
  const still = () =>
    document.querySelector("[aria-busy=true]") === null && document.fonts.status === "loaded"
  try {
    await page.waitForFunction(still, undefined, { timeout: PATIENCE_MS, polling: 50 })
  } catch (cause) {
    const text = await page.locator("main").textContent()
    throw new Error(`${page.url()} is still busy: ${text?.slice(0, 300)}`, { cause })
  }
  await painted(page)
}

/** Wait until what was changed is on the screen, and what moves for it once has moved. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1)
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
}
