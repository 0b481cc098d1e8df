/** What a person does on several journeys. */
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Page } from "playwright-core"
import type { Product } from "./product.ts"

const INVITATION = "KALOS1"
const PASSWORD = "harbour7lights"
const PAUSE_MS = 100
const BETTING_MS = 40_000
const DAY_MS = 86_400_000
/** After midnight UTC, at which the day of business ends. */
const DAY_ENDS_MS = 16 * 3_600_000
const TODAY_MS = 300_000
const KEY_STEP = 4
const HANDLE = 56
const MOST_X = 264
const HAND_MS = 320

export interface Member {
  account: string
  email: string
  password: string
  token: string
}

/**
 * A member of the caller's own, so that no other file uses up its calls; with so many USDT from the chain, invited by
 * the demo's root or by whose code it is, at home in a country or nowhere.
 */
export async function newMember(
  product: Product,
  usdt?: string,
  code = INVITATION,
  about: { country?: string } = {},
): Promise<Member> {
  // Its ends are shown where the rest is hidden: they are as wide as any letter, whatever chance says between them.
  const email = `m${randomUUID()}m@example.com`
  const { captcha_id } = await product.call("/api/auth/captcha", {})
  const captcha = { captcha_id, code: await textOf(product, captcha_id) }
  await product.call("/api/auth/sendEmail", { email, scene: "register", captcha })
  const letter = async () => (await product.call("/api/demo/inbox", { email })).list[0]?.code
  const fields = { invite_code: code, email, email_code: await soon(letter), password: PASSWORD, ...about }
  const { token } = await product.call("/api/auth/register", fields)
  for (const secret of [PASSWORD, token]) product.hide(secret)
  const { account } = await product.call("/api/user/info", {}, token)
  if (usdt !== undefined) {
    await product.call("/api/demo/faucet", { amount: usdt }, token)
    await soon(async () => Number((await product.call("/api/finance/userFinance", {}, token)).total) > 0)
  }
  return { account, email, password: PASSWORD, token }
}

/** Ask until there is an answer; the test's own time ends it. */
export async function soon<T>(ask: () => Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    await sleep(PAUSE_MS)
  }
}

/** Wait until the session answers no more: the other process keeps it until it has heard, for a second at most. */
export async function untilEnded(product: Product, token: string): Promise<void> {
  await soon(() =>
    product.call("/api/user/info", {}, token).then(
      () => false,
      (refused: unknown) => /406/.test(String(refused)),
    ),
  )
}

/** Set a withdrawal password as /me1 does. */
export async function setOutPassword(product: Product, member: Member, out: string): Promise<void> {
  product.hide(out)
  const { password, token } = member
  const email_code = await mailedCode(product, member, "password")
  const proof = await provenSlide(product)
  await product.call(
    "/api/user/upOutPwd",
    { new_password: out, confirm_password: out, password, email_code, proof },
    token,
  )
}

/** What the picture of a captcha says. */
async function textOf(product: Product, captcha_id: string): Promise<string> {
  const found = await product.call("/api/demo/captcha", { captcha_id })
  if (!("code" in found)) throw new Error("a slide came instead of a picture")
  return found.code
}

/** The codes that were mailed to an address; a mail may come twice, and others tell of other things. */
async function codesOf(product: Product, email: string): Promise<string[]> {
  const { list } = await product.call("/api/demo/inbox", { email })
  return list.flatMap(({ subject, code }) => (code !== null && subject.includes(code) ? [code] : []))
}

/** The code that comes after `ask`, as if the wait after the last one were over. */
export async function nextCode(
  product: Product,
  email: string,
  ask: () => Promise<unknown>,
): Promise<string> {
  await product.endCodeGap(email)
  const known = new Set(await codesOf(product, email))
  await ask()
  return await soon(async () => (await codesOf(product, email)).find((code) => !known.has(code)))
}

/** Have the page mail a code and type it. */
export async function typeMailedCode(page: Page, product: Product, email: string): Promise<void> {
  const code = await nextCode(product, email, () => page.getByRole("button", { name: "Send code" }).click())
  await page.getByLabel("Code from the e-mail", { exact: true }).fill(code)
}

/** A code that is mailed to a member for a step. */
export function mailedCode(
  product: Product,
  { email, token }: Member,
  scene: "google" | "password" | "unbind",
): Promise<string> {
  return nextCode(product, email, () => product.call("/api/user/sendEmail", { scene }, token))
}

/** What the server gives for a slide that was brought home. */
export async function provenSlide(product: Product): Promise<string> {
  const { captcha_id } = await product.call("/api/auth/slide", {})
  const found = await product.call("/api/demo/captcha", { captcha_id })
  if (!("x" in found)) throw new Error("a picture came instead of a slide")
  const { x } = found
  const track: [number, number][] = [
    [0, 0],
    [Math.floor(x / 2), 400],
    [x, 800],
  ]
  return (await product.call("/api/auth/slideVerify", { captcha_id, x, track })).proof
}

/** Type what the picture says; the answer comes from demo mode's helper. */
export async function typeCaptcha(page: Page, product: Product): Promise<void> {
  const id = await page.locator("img[data-captcha]").getAttribute("data-captcha")
  const code = await textOf(product, id ?? "")
  await page.getByLabel("Code in the picture", { exact: true }).fill(code)
}

/** Bring the piece of the page's slide home: with the keys, with the buttons beside it, or as a hand drags it. */
export async function slide(page: Page, product: Product, how: "keys" | "buttons" | "drag"): Promise<void> {
  const sheet = page.getByRole("dialog", { name: "Slide verification" })
  const id = await sheet.locator("[data-slide]").getAttribute("data-slide")
  const found = await product.call("/api/demo/captcha", { captcha_id: id ?? "" })
  if (!("x" in found)) throw new Error("a picture came instead of a slide")
  const { x } = found
  const handle = sheet.getByRole("slider", { name: "Place of the piece" })
  if (how === "keys") {
    await handle.focus()
    for (let step = 0; step < Math.round(x / KEY_STEP); step++)
      await page.keyboard.press("ArrowRight", { delay: 5 })
    await page.waitForTimeout(HAND_MS)
    await page.keyboard.press("Enter")
  } else if (how === "buttons") {
    const right = sheet.getByRole("button", { name: "A little to the right" })
    for (let step = 0; step < Math.round(x / KEY_STEP); step++) await right.click()
    await page.waitForTimeout(HAND_MS)
    await sheet.getByRole("button", { name: "Check", exact: true }).click()
  } else {
    // The sheet must have come to rest.
    await handle.hover({ trial: true })
    const box = await handle.boundingBox()
    if (!box) throw new Error("no handle")
    const from = box.x + HANDLE / 2
    const middle = box.y + box.height / 2
    await page.mouse.move(from, middle)
    await page.mouse.down()
    await page.mouse.move(from + (x / MOST_X) * (box.width - HANDLE), middle, { steps: 12 })
    await page.waitForTimeout(HAND_MS)
    await page.mouse.up()
  }
  await sheet.waitFor({ state: "detached" })
}

/** The token of the page's session; empty where there is none. */
export async function tokenOf(page: Page, product: Product): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem("kalos.token") ?? "")
  if (token !== "") product.hide(token)
  return token
}

/** Where a page waits that must hear of nothing: one that hears that its session ended loads itself anew, at any moment. */
export const NOWHERE = "about:blank"

/**
 * From `NOWHERE` to `url`, when the session that the page goes by has ended: at its first call it hears of that and is
 * loaded anew, often before our own load was done. What is typed into a form that stood there before is lost.
 */
export async function comeBackEnded(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "commit" })
  await page.waitForFunction(() => {
    const reloaded = Number(localStorage.getItem("kalos.reloaded"))
    return localStorage.getItem("kalos.token") === null && reloaded > 0 && performance.timeOrigin > reloaded
  })
  await page.waitForURL(/\/login/)
}

/** Fill the login form that the page shows, and send it. */
export async function logIn(page: Page, product: Product, name: string, password: string): Promise<void> {
  product.hide(password)
  await page.getByLabel("Account or e-mail", { exact: true }).fill(name)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await typeCaptcha(page, product)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
}

/** What a member does today is looked at as today's: none of it begins in the last minutes of a day of business. */
export async function untilTodayIsLong(page: Page): Promise<void> {
  const left = DAY_MS - ((Date.now() + DAY_MS - DAY_ENDS_MS) % DAY_MS)
  if (left < TODAY_MS) await page.waitForTimeout(left + 1_000)
}

/** Bets go into a round that stays open long enough to place them: rounds close with the minute. */
export async function untilThereIsTime(page: Page, needed = BETTING_MS): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < needed) await page.waitForTimeout(left + 1_000)
}
