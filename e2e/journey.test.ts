/** The whole path as a person walks it: an invitation, a top-up on the chain, a bet, its payment, its proof. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Locator } from "playwright-core"
import { soon, tokenOf, typeCaptcha, untilThereIsTime, untilTodayIsLong } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const EMAIL = "mai.tran@example.com"
const PASSWORD = "harbour7lights"
const ROUND_MS = 100_000
/** A press that ends later than the second of a double one could: that one would place no bet. */
const UNDOUBLED_MS = 600
const HASH = /^0x[0-9a-f]{64}$/

const { product, phone, page } = await useProduct({ moves: true })
product.hide(PASSWORD)

const button = (name: string | RegExp): Locator => page.getByRole("button", { name })
const field = (name: string): Locator => page.getByLabel(name, { exact: true })

async function tapKeys(keys: string): Promise<void> {
  const pad = page.getByRole("group", { name: "Keypad" })
  for (const key of keys) {
    const name = key === "." ? "decimal separator" : key
    await pad.getByRole("button", { name, exact: true }).click()
  }
  await pad.getByRole("button", { name: "Done" }).click()
}

test("a visitor is sent to log in and keeps the way", async () => {
  await page.goto(`${product.url}/node3?tab=records`)
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor()
  const address = new URL(page.url())
  assert.equal(address.pathname, "/login")
  assert.equal(address.searchParams.get("redirect"), "/node3?tab=records")
  await page.locator("img[data-captcha]").waitFor()
  await phone.shot("login-dark")
})

test("an invitation code and an e-mail code make an account", async () => {
  await page.getByRole("link", { name: "Create an account" }).click()
  await field("Invitation code").fill("KALOS1")
  await field("E-mail").fill(EMAIL)
  await typeCaptcha(page, product)
  await button("Send code").click()
  await button(/Send again in/).waitFor()
  await button("Open the demo inbox").click()
  await phone.shot("demo-inbox-dark")
  await button("Use this code").click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
  assert.match(await field("Code from the e-mail").inputValue(), /^\d{6}$/)
  await field("Password").fill(PASSWORD)
  await field("Country (optional)").selectOption("VN")
  await page.getByText("I have read the").click({ position: { x: 5, y: 5 } })
  await phone.shot("register-dark")
  await button("Create account").click()
  await page.waitForURL(/\/home$/)
  await page.getByText("Total balance").waitFor()
  await phone.shot("home-new-dark")
})

test("USDT sent on the chain to the own address is credited once it has its confirmations", async () => {
  await page.goto(`${product.url}/node3`)
  const address = page.locator("[data-address]")
  await address.waitFor()
  assert.match((await address.getAttribute("data-address")) ?? "", /^0x[0-9a-fA-F]{40}$/)
  await page.getByText("Never send real coins here").waitFor()
  await page.getByText("A withdrawal later costs a fee").waitFor()
  await phone.shot("topup-dark")
  await button("Send test USDT").click()
  const deposit = button(/\+100\.00 USDT/)
  await deposit.waitFor()
  assert.equal(new URL(page.url()).searchParams.get("tab"), "records")
  await deposit.getByText("Approved").waitFor({ timeout: 60_000 })
  await phone.shot("topup-records-dark")
  await page.goto(`${product.url}/node`)
  await page.getByText("100.00").first().waitFor()
  await phone.shot("assets-dark")
})

test("a hash that was credited already stays one top-up", async () => {
  await page.goto(`${product.url}/node3?tab=records`)
  await button(/\+100\.00 USDT/).click()
  const hash = await page.getByRole("dialog").getByText(HASH).textContent()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.getByRole("radio", { name: "Submit hash" }).check({ force: true })
  await field("Transaction hash").fill(hash ?? "")
  await button("Submit hash").click()
  await button(/\+100\.00 USDT/).waitFor()
  assert.equal(await button(/\+100\.00 USDT/).count(), 1)
})

test("a foreign hash credits nothing and says why", async () => {
  await page.goto(`${product.url}/node3?tab=hash`)
  await field("Transaction hash").fill(`0x${"ab".repeat(32)}`)
  await button("Submit hash").click()
  await page
    .getByText(/submit failed/)
    .first()
    .waitFor()
})

test("a bet is typed, confirmed with a second press, drawn by a block and paid", async () => {
  await untilTodayIsLong(page)
  await page.goto(`${product.url}/game1?game=odd_even&scene=odd_even-60`)
  await page.getByText("Result block").waitFor()
  await untilThereIsTime(page)
  await betOn("Odd", "10", acceptNotice)
  await soon(async () => (await noticeOfGames())?.accepted_at)
  await betOn("Even", "20.5")
  await phone.shot("room-bets-dark")
  const won = page.getByText(/^\+(9\.5|19\.475)/).first()
  await won.waitFor({ timeout: ROUND_MS })
  await page.getByText("Not won").first().waitFor()
  await phone.shot("room-result-dark")
})

test("the result is recomputed in the browser and by the command", async () => {
  await page.goto(`${product.url}/game1?game=odd_even&view=bets`)
  await page.getByRole("button", { name: /10.*USDT on odd/ }).click()
  await button("Check it yourself").click()
  await page.getByText("Everything agrees, computed on this device.").waitFor()
  await phone.shot("bet-proof-dark")
  await page.keyboard.press("Escape")
  const token = await tokenOf(page, product)
  const orders = await product.command("call", "game/orderList", "{}", token)
  const { round } = JSON.parse(orders.said).data.list[0]
  const block = await product.command("call", "game/getBlock", JSON.stringify({ round }), token)
  const answer = await product.keep("round.json", block.said)
  const bets = await product.keep("bets.json", orders.said)
  const verdict = await product.command("verify-round", answer, "--rpc", await product.node(), "--bets", bets)
  assert.equal(verdict.code, 0, verdict.said)
})

test("the ledger's audit is clean and the account shows every move", async () => {
  await page.goto(`${product.url}/node1?coin=USDT`)
  await page.getByText("Bet placed").first().waitFor()
  await phone.shot("history-dark")
  const { code, said } = await product.command("audit", "ledger")
  assert.equal(code, 0, said)
})

test("income is what was won less what was lost", async () => {
  const income = /^(\+9\.47|[-−]11)/
  await page.goto(`${product.url}/home`)
  await page.getByRole("link", { name: /^Income today (\+9\.47|[-−]11)/ }).click()
  await page.waitForURL(/\/node1\?tab=income$/)
  await page
    .getByRole("link", { name: /^Games/ })
    .getByText(income)
    .waitFor()
  await phone.shot("income-dark")
  await page.getByRole("radio", { name: "Yesterday" }).check({ force: true })
  await page
    .getByRole("link", { name: /^Games/ })
    .getByText(income)
    .waitFor({ state: "detached" })
  await page.getByRole("radio", { name: "All time" }).check({ force: true })
  await page
    .getByRole("link", { name: /^Games/ })
    .getByText(income)
    .waitFor()
})

test("language and theme change without a reload", async () => {
  await page.goto(`${product.url}/me3`)
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  await page.getByRole("radio", { name: "Light" }).check({ force: true })
  await page.getByRole("button", { name: /^Language/ }).click()
  await page.getByText("Tiếng Việt").click()
  await page.getByText("Cài đặt").first().waitFor()
  assert.equal(await page.evaluate(() => (window as unknown as { stayed?: boolean }).stayed), true)
  assert.equal(await page.locator("html").getAttribute("lang"), "vi")
  for (const path of ["home", "node", "node1", "node1?tab=income", "node3", "game", "game1", "me", "me3"]) {
    await page.goto(`${product.url}/${path}`)
    await page.waitForLoadState("networkidle")
    await phone.shot(`${path.replace(/\W+/g, "-")}-light-vi`)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, `/${path} scrolls sideways: ${width}`)
  }
})

test("logging out ends the session on the server too", async () => {
  const token = await tokenOf(page, product)
  await page.goto(`${product.url}/me3`)
  await page.getByRole("button", { name: "Đăng xuất" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Đăng xuất" }).click()
  await page.waitForURL(/\/login/)
  // A page that isn't answered leaves before the server knows.
  const refused = () => product.call("/api/demo/faucet", { amount: "1" }, token).then(() => "", String)
  await soon(async () => /406/.test(await refused()))
})

/** Who named a country accepts the notice of games in the step that stakes first. */
async function acceptNotice(): Promise<void> {
  const agreed = page.getByRole("checkbox", { name: "I have read this and accept it" })
  await agreed.waitFor()
  const notice = await noticeOfGames()
  assert.ok(notice)
  assert.equal(notice.accepted_at, null)
  await page.getByText(notice.text, { exact: true }).waitFor()
  assert.match(notice.text, /^Games cost money on average/)
  assert.ok(await button(/^Confirm/).isDisabled())
  await phone.shot("room-notice-dark")
  await page.getByText("I have read this and accept it").click()
  await button(/^Confirm/).click({ delay: UNDOUBLED_MS })
}

async function noticeOfGames() {
  const { list } = await product.call("/api/user/disclosures", {}, await tokenOf(page, product))
  return list.find(({ feature }) => feature === "games")
}

async function betOn(option: string, stake: string, before?: () => Promise<void>): Promise<void> {
  await page.getByRole("radio", { name: new RegExp(`^${option}`) }).check({ force: true })
  const stakeField = field("Stake")
  await stakeField.fill("")
  await stakeField.click()
  await tapKeys(stake)
  const sentence = new RegExp(`Bet ${stake.replace(".", "\\.")} USDT on ${option.toLowerCase()}`)
  await button(sentence).click()
  await button(/^Confirm/).click({ delay: UNDOUBLED_MS })
  await before?.()
  await button(/^Confirm/).waitFor({ state: "detached" })
}
