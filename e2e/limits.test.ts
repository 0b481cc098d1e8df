/** What members set for themselves: a limit that is met, a higher one that waits, a reminder, a break, an exclusion. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Locator } from "playwright-core"
import { logIn, newMember, untilThereIsTime, untilTodayIsLong } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const BETTING_MS = 30_000
const HOUR_MS = 3_600_000

const { product, phone, page } = await useProduct()
const member = await newMember(product, "100")

const button = (name: string | RegExp): Locator => page.getByRole("button", { name })
const field = (name: string): Locator => page.getByLabel(name, { exact: true })
const sheet = page.getByRole("dialog")
const limits = () => product.call("/api/user/limits", {}, member.token)

async function type(name: string, amount: string): Promise<void> {
  await field(name).fill(amount)
  await field(name).blur()
}

async function setStakes(amount: string): Promise<void> {
  await button(/^Stakes/).click()
  await type("Most for a day", amount)
}

async function bet(stake: string): Promise<void> {
  await page.getByRole("radio", { name: /^Odd/ }).check({ force: true })
  await type("Stake", stake)
  await button(`Bet ${stake} USDT on odd`).click()
  await button(/^Confirm/).press("Enter")
}

test("the hall leads to the play limits, and a limit counts at once", async () => {
  await untilTodayIsLong(page)
  await page.goto(`${product.url}/login?redirect=/game`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("link", { name: /^Play limits/ }).click()
  await page.waitForURL(/\/me1\?view=limits$/)
  await button(/^Stakes/).waitFor()
  await setStakes("5")
  await sheet.getByText("Counts at once.").waitFor()
  await button("Set it to 5 USDT").click()
  await sheet.waitFor({ state: "detached" })
  await button(/^Stakes Today 0 USDT 5 USDT/).waitFor()
})

test("a limit that is met refuses the next bet, says so, and leads to where it is set", async () => {
  await page.goto(`${product.url}/game1?game=odd_even&scene=odd_even-60`)
  await page.getByText("Result block").waitFor()
  await untilThereIsTime(page, BETTING_MS)
  await bet("5")
  await button(/^Confirm/).waitFor({ state: "detached" })
  await bet("1")
  const refused = page.getByRole("alert").filter({ hasText: "Your own limit for today is reached" })
  await refused.getByText("0 USDT are left to stake today.").waitFor()
  await phone.shot("limit-met-dark")
  assert.equal((await limits()).stake.used, "5.000000")
  await refused.getByRole("link", { name: "Play limits" }).click()
  await button(/^Stakes Today 5 USDT 5 USDT/).waitFor()
})

test("limits of losses and of top-ups are met as well, and each says what it leaves", async () => {
  for (const [name, most, stakes, left] of [
    ["Losses", "5", ["5", "1"], "Your limit of losses leaves 0 USDT to stake."],
    ["Top-ups", "40", ["41"], "Above your top-up limit only 40 USDT can be staked today."],
  ] as const) {
    const other = await newMember(product, "100")
    await page.evaluate(() => localStorage.removeItem("kalos.token"))
    await page.goto(`${product.url}/login?redirect=%2Fme1%3Fview%3Dlimits`)
    await logIn(page, product, other.account, other.password)
    await button(new RegExp(`^${name}`)).click()
    await type("Most for a day", most)
    await button(`Set it to ${most} USDT`).click()
    await sheet.waitFor({ state: "detached" })
    await page.goto(`${product.url}/game1?game=odd_even&scene=odd_even-60`)
    await page.getByText("Result block").waitFor()
    await untilThereIsTime(page)
    for (const stake of stakes) {
      if (stake !== stakes[0]) await button(/^Confirm/).waitFor({ state: "detached" })
      await bet(stake)
    }
    const refused = page.getByRole("alert").filter({ hasText: "Your own limit for today is reached" })
    await refused.getByText(left).waitFor()
    await phone.shot(`limit-${name.toLowerCase()}-dark`)
  }
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
  await page.goto(`${product.url}/login?redirect=%2Fme1%3Fview%3Dlimits`)
  await logIn(page, product, member.account, member.password)
  await button(/^Stakes Today 5 USDT 5 USDT/).waitFor()
})

test("a higher limit says from when it counts, and waits", async () => {
  await setStakes("50")
  await sheet.getByText(/^Counts from .* Until then the present limit stays/).waitFor()
  await phone.shot("limit-sheet-dark")
  await button("Set it to 50 USDT").click()
  await sheet.waitFor({ state: "detached" })
  await page.getByText(/^50 USDT from .* on$/).waitFor()
  const { stake } = await limits()
  assert.deepEqual([stake.amount, stake.next_amount], ["5.000000", "50.000000"])
  assert.ok((stake.next_from ?? 0) >= Date.now() + 24 * HOUR_MS)
  await phone.shotOfAll("limits-dark")
})

test("the reminder comes after its minutes in each tab once, also after a reload", async () => {
  await button(/^Reminder/).click()
  await sheet.getByText("60 minutes").click()
  await sheet.waitFor({ state: "detached" })
  await page.evaluate((hour) => {
    const now = Date.now()
    const stay = { since: now - hour - 60_000, seen: now, told: now - hour - 60_000 }
    localStorage.setItem("kalos.stay", JSON.stringify(stay))
  }, HOUR_MS)
  const other = await phone.context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`${product.url}/game`)
    await tab.getByText("You have been here for 61 minutes.").waitFor()
  }
  await page.reload()
  await sheet.getByText("Result today").waitFor()
  await phone.shot("reminder-dark")
  await button("Go on").click()
  for (const tab of [page, other]) await tab.getByRole("dialog").waitFor({ state: "detached" })
  assert.equal(new URL(other.url()).pathname, "/game")
  await other.close()
})

test("a break and an exclusion say what they stop and until when, and nothing shortens them", async () => {
  await page.goto(`${product.url}/me1?view=limits`)
  await button(/^Take a break/).click()
  await sheet.getByText(/^Goes on: withdrawing/).waitFor()
  await phone.shot("break-dark")
  await button("Take a break of 7 days").click()
  await sheet.waitFor({ state: "detached" })
  await page.getByText(/^You take a break until/).waitFor()
  await button(/^Take a break/).click()
  await button("One less").click()
  await sheet.getByText("Your present break lasts longer.").waitFor()
  assert.ok(await button("Take a break of 6 days").isDisabled())
  await button("Close").click()
  await button(/^Exclude yourself/).click()
  await phone.shot("exclude-dark")
  await button("Continue").click()
  const last = button("Exclude me")
  assert.ok(await last.isDisabled())
  await sheet.getByText("I understand this, and exclude myself").click()
  await phone.shot("exclude-confirm-dark")
  await last.click()
  await page.getByText(/^You have excluded yourself until/).waitFor()
  const { excluded_until } = await limits()
  assert.ok((excluded_until ?? 0) > Date.now() + 180 * 24 * HOUR_MS)
})
