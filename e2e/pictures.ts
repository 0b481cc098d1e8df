/**
 * Pictures of the main screens as a member sees them, in both themes, for docs/screens: `make pictures`.
 *
 * Of the product at URL if that is given (the longer it has run, the more its rounds show), else of one of its own, which
 * plays on some days of a month and many rounds before: a house where nothing happened yet looks broken.
 */
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { BrowserContext } from "playwright-core"
import type { Answer, Body, Data, Path } from "../web/src/lib/calls.ts"
import type { LanguageCode } from "../web/src/lib/languages.ts"
import { openBrowser } from "./support/browser.ts"
import { Product } from "./support/product.ts"
import { logInStaff } from "./support/staff.ts"

const ROOT = resolve(import.meta.dirname, "..")
const PLACE = join(ROOT, "docs/screens")
const ACCOUNT = "10000002"
const PASSWORD = "demo1234"
const SCENE = "odd_even-60"
/** The plate of the odd digits, in any language. */
const ODD = /1 3 5 7 9/
const SCREENS = ["home", "node", "node1", "node3", "node4", "address3", "game", "game1", "login", "me"]
const THEMES = ["dark", "light"] as const
/** The scripts whose lines are longest and tallest, side by side: one row for each of these screens. */
const LANGUAGES: readonly LanguageCode[] = ["vn", "th", "ja", "ko", "zh", "zhTW"]
const TOLD = ["home", "game1", "node1"]
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const CONSOLE = { width: 1280, height: 800 }
/** The chain is looked at each minute: then the console has figures of it. */
const RESERVES_MS = 90_000
const SETTLED_MS = 1_500
/** A bet is placed with at least so much of its round left. */
const ROOM_MS = 20_000
/** What came in before, every few days: more than the month that /node draws. */
const TOP_UPS = ["400", "150", "620", "80", "300", "240", "510", "190"]
const APART_S = 4 * 86_400
/** A strip has twenty beads. */
const ROUNDS = 24
/** Business time goes on by so much at once, and the chain by as many blocks as fit into it. */
const STEP_S = 8
const BLOCK_S = 2
const PAUSE_MS = 150
interface Order {
  option: string
  amount: string
}
const BETS: readonly Order[] = [
  { option: "odd", amount: "25" },
  { option: "even", amount: "20.5" },
]
// One palette for each picture keeps it small. The README's picture is four of them side by side.
const FINISH = `
import sys
from PIL import Image
def small(image):
    return image.quantize(160, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
place, told, *names = sys.argv[1:]
images = {name: Image.open(f"{place}/{name}.png").convert("RGB") for name in names}
for name, image in images.items():
    small(image).save(f"{place}/{name}.png", optimize=True)
shown = [images[name] for name in ("home-dark", "game1-dark", "proof-light", "node-light")]
gap, (width, height) = 32, shown[0].size
row = Image.new("RGB", (len(shown) * (width + gap) - gap, height), (128, 131, 138))
for index, image in enumerate(shown):
    row.paste(image, (index * (width + gap), 0))
half = row.resize((row.width // 2, row.height // 2), Image.Resampling.LANCZOS)
small(half).save(f"{place}/../picture.png", optimize=True)
rows = [[Image.open(name).convert("RGB") for name in one.split()] for one in told.split(";")]
sheet = Image.new("RGB", (len(rows[0]) * (width + gap) - gap, len(rows) * (height + gap) - gap), (128, 131, 138))
for down, row in enumerate(rows):
    for along, image in enumerate(row):
        sheet.paste(image, (along * (width + gap), down * (height + gap)))
third = sheet.resize((sheet.width // 3, sheet.height // 3), Image.Resampling.LANCZOS)
small(third).save(f"{place}/languages.png", optimize=True)
`

const own = process.env.URL ? undefined : await Product.start()
const url = own?.url ?? process.env.URL ?? ""
const browser = await openBrowser()
const passing = await mkdtemp(join(tmpdir(), "kalos-pictures-"))
try {
  await mkdir(PLACE, { recursive: true })
  const token = await logIn()
  if (own) await live(token)
  await call("/api/demo/faucet", { amount: "250" }, token)
  // At the chain's own pace: hurried, one round in a few comes too late and is void.
  await play(token, BETS, pause)
  const taken: string[] = []
  for (const theme of THEMES) {
    for (const screen of SCREENS) {
      const phone = await open(theme, PHONE, screen === "login" ? null : token)
      taken.push(await take(phone, screen, `${screen}-${theme}`))
      await phone.close()
    }
    const proof = await open(theme, PHONE, token)
    taken.push(await take(proof, "game1?view=bets&status=won", `proof-${theme}`))
    await proof.close()
    const desktop = await open(theme, DESKTOP, token)
    taken.push(await take(desktop, "home", `desktop-${theme}`))
    await desktop.close()
    const desk = await open(theme, CONSOLE, null)
    taken.push(await takeConsole(desk, `console-${theme}`))
    await desk.close()
  }
  const told: string[] = []
  for (const screen of TOLD) {
    const row: string[] = []
    for (const language of LANGUAGES) {
      const phone = await open("light", PHONE, token, language)
      row.push(join(passing, `${await take(phone, screen, `${screen}-${language}`, passing)}.png`))
      await phone.close()
    }
    told.push(row.join(" "))
  }
  execFileSync(join(ROOT, ".venv/bin/python"), ["-c", FINISH, PLACE, told.join(";"), ...taken])
} finally {
  await rm(passing, { recursive: true, force: true })
  await browser.close()
  await own?.stop()
}

/** The operator's dashboard. */
async function takeConsole(context: BrowserContext, name: string): Promise<string> {
  const page = await context.newPage()
  await logInStaff(page, { url, call }, "operator")
  const reserves = page.getByRole("region", { name: "Liabilities and reserves" })
  await reserves.getByText("USDT").waitFor({ timeout: RESERVES_MS })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: join(PLACE, `${name}.png`) })
  return name
}

/** A plain call, as demo mode takes them. */
async function call<P extends Path>(path: P, body: Body<P>, token = ""): Promise<Data<P>> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Answer<P>
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.msg}`)
  return answer.data as Data<P>
}

async function logIn(): Promise<string> {
  const { captcha_id } = await call("/api/auth/captcha", {})
  const solved = await call("/api/demo/captcha", { captcha_id })
  if (!("code" in solved)) throw new Error("a slide came instead of a picture")
  const answer = await call("/api/auth/login", {
    name: ACCOUNT,
    password: PASSWORD,
    code: solved.code,
    captcha_id,
  })
  if (!("token" in answer)) throw new Error("the demo account has an authenticator")
  return answer.token
}

/** Days with a top-up and a bet each, then an hour of rounds, some of them with a bet. */
async function live(token: string): Promise<void> {
  for (const [day, amount] of TOP_UPS.entries()) {
    await call("/api/demo/faucet", { amount }, token)
    await play(token, [{ option: day % 2 ? "odd" : "even", amount: `${15 + 10 * day}` }])
    await call("/api/demo/clock", { advance_seconds: APART_S })
  }
  for (let round = 0; round < ROUNDS; round++)
    await play(token, round % 5 === 0 ? [{ option: round % 2 ? "odd" : "even", amount: "12.5" }] : [])
}

/** Bet in the next round that has the room, and let it be drawn: on a product of its own in a moment. */
async function play(token: string, orders: readonly Order[], wait = goOn): Promise<void> {
  let scene = await roomy(token, wait)
  const waiting = [...orders]
  for (let order = waiting[0]; order !== undefined; order = waiting[0]) {
    const fixed = { scene_id: SCENE, round: scene.round ?? "", balance_type: "USDT" }
    try {
      await call("/api/game/beton", { ...order, ...fixed, request_id: randomUUID() }, token)
      waiting.shift()
    } catch (problem) {
      // The block that seals the round may have come meanwhile.
      if (!String(problem).includes("betting closed")) throw problem
      await wait()
      scene = await roomy(token, wait)
    }
  }
  const drawn = (scene.closes_at ?? 0) + ROOM_MS / 2
  while ((await call("/api/game/scene", { scene_id: SCENE }, token)).server_time < drawn) await wait()
}

async function roomy(token: string, wait: () => Promise<void>) {
  for (;;) {
    const scene = await call("/api/game/scene", { scene_id: SCENE }, token)
    if (scene.round !== null && (scene.closes_at ?? 0) - scene.server_time >= ROOM_MS) return scene
    await wait()
  }
}

function pause(): Promise<void> {
  return sleep(SETTLED_MS)
}

/** Let a little time pass; the chain keeps in step with it, else its rounds would be void. */
async function goOn(): Promise<void> {
  if (!own) return pause()
  await call("/api/demo/clock", { advance_seconds: STEP_S })
  await call("/api/demo/mine", { blocks: STEP_S / BLOCK_S })
  await sleep(PAUSE_MS)
}

async function open(
  theme: "dark" | "light",
  size: typeof PHONE,
  token: string | null,
  language?: LanguageCode,
) {
  const phone = size === PHONE
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: phone ? 2 : 1,
    isMobile: phone,
    hasTouch: phone,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en",
    timezoneId: "Asia/Singapore",
  })
  if (token) await context.addInitScript((value) => localStorage.setItem("kalos.token", value), token)
  const settings = JSON.stringify({ language })
  if (language)
    await context.addInitScript((value) => localStorage.setItem("kalos.settings", value), settings)
  return context
}

async function take(context: BrowserContext, screen: string, name: string, place = PLACE): Promise<string> {
  const page = await context.newPage()
  await page.goto(`${url}/${screen}`)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.waitForLoadState("networkidle")
  if (screen === "game1") {
    await page.getByRole("radio", { name: ODD }).check({ force: true })
    await page.getByRole("button", { name: "50", exact: true }).click()
  }
  if (screen === "node4") {
    await page.getByLabel("Amount", { exact: true }).fill("250")
    await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "Done" }).click()
  }
  if (screen.includes("view=bets")) {
    await page
      .getByRole("button", { name: /USDT on/ })
      .first()
      .click()
    await page.getByRole("button", { name: "Check it yourself" }).click()
    await page.getByText("Everything agrees, computed on this device.").waitFor()
  }
  if (page.viewportSize()?.width === DESKTOP.width) await page.getByText("A ledger you can check").waitFor()
  await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)))
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: join(place, `${name}.png`) })
  return name
}
