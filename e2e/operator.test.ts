/** The operator console: what one person asks for and another signs, each with what it does to the product; tickets. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { faultsOf, sectionIsInView } from "./support/desk.ts"
import { logIn, newMember, soon, tokenOf, typeMailedCode } from "./support/people.ts"
import { askFor, logInStaff, proveStaff, section, sign } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const PAGES = [
  "",
  "/withdrawals",
  "/deposits",
  "/strays",
  "/tickets",
  "/members",
  "/bulletins",
  "/commands",
  "/settings",
  "/switches",
  "/audit",
  "/account",
  "/no-such-page",
]
/** They have no name in the line of sections. */
const OUTSIDE = new Set(["/account", "/no-such-page"])
/** The chain is looked at each minute, the page asks for figures each quarter of one. */
const RESERVES_MS = 90_000
/** One that nothing else of the tests stands on, as the country is. */
const SETTING = "withdraw_min.KLS"
const COUNTRY = "IS"
/** 5 KLS. */
const KLS_UNITS = 500_000_000n

// A product of its own: what is set, priced and switched off here would change what other files do.
const { product, browser, phone, page } = await useProduct({ own: {} })
const member = await newMember(product, undefined, undefined, { country: COUNTRY })
const second = await Phone.open(browser)
await second.page.setViewportSize(DESK)

const balanceOf = async (asset: string) =>
  (await product.call("/api/finance/userFinance", {}, member.token)).list.find((row) => row.asset === asset)
    ?.available
const minimum = async () =>
  (await product.call("/api/withdraw/index", {}, member.token)).assets.find(({ asset }) => asset === "KLS")
    ?.minimum

test("a setting is asked for by one person, and counts when another has signed it", async () => {
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
  await page.getByText("Enter the six digits that your authenticator shows").waitFor()
  await logInStaff(page, product, "operator")
  await page.getByRole("heading", { name: "Liabilities and reserves" }).waitFor()

  await section(page, "Settings")
  await page.getByRole("button", { name: SETTING, exact: true }).click()
  const sheet = page.getByRole("dialog", { name: SETTING })
  await sheet.getByText("It was never changed.").waitFor()
  await sheet.getByLabel(/^Another value/).fill("25")
  await sheet.getByRole("button", { name: "See what it would do" }).click()
  await sheet.getByText("becomes").waitFor()
  const ask = sheet.getByRole("button", { name: "Ask for the second signature" })
  await ask.click()
  await sheet.getByText("Say why").waitFor()
  await sheet.getByLabel("Reason", { exact: true }).fill("Small ones cost more than they bring")
  await ask.click()
  await sheet.waitFor({ state: "detached" })

  await section(page, "Commands")
  const row = page.getByRole("row").filter({ hasText: SETTING })
  await row.getByRole("button").click()
  const own = page.getByRole("dialog", { name: /^Command \d+$/ })
  await own.getByText("You asked for this: somebody else must sign it.").waitFor()
  assert.equal(await own.getByRole("button", { name: "Sign it" }).count(), 0)
  await page.keyboard.press("Escape")

  assert.equal(await minimum(), "20.00000000")
  await logInStaff(second.page, product, "reviewer")
  await section(second.page, "Commands")
  await sign(second.page, SETTING, "Small ones cost more than they bring")
  await soon(async () => (await minimum()) === "25.00000000")

  await page.reload()
  await section(page, "Settings")
  await page.getByRole("button", { name: SETTING, exact: true }).click()
  await sheet.getByRole("cell", { name: "operator, reviewer" }).waitFor()
  await page.keyboard.press("Escape")

  await page.getByRole("button", { name: "common_passwords", exact: true }).click()
  const choice = page.getByRole("dialog", { name: "common_passwords" })
  assert.ok(await choice.getByRole("radio", { name: "Off" }).isChecked())
  await choice.getByRole("button", { name: "See what it would do" }).click()
  await choice.getByText("off", { exact: true }).waitFor()
  await page.keyboard.press("Escape")
  await section(page, "Audit log")
  await page.getByRole("row").filter({ hasText: "reviewer" }).filter({ hasText: SETTING }).first().waitFor()
})

test("what waits in suspense is credited or refused by a person, and the member sees it", async () => {
  await product.call("/api/demo/faucet", { amount: "3" }, member.token)
  await sendKls((await product.call("/api/recharge/index", {}, member.token)).address)
  await product.call("/api/demo/mine", { blocks: 4 })
  const top_ups = async () => (await product.call("/api/recharge/list", {}, member.token)).list
  await soon(async () => (await top_ups()).filter(({ status }) => status === "pending_review").length === 2)

  await section(page, "Deposits in suspense")
  const waiting = page.getByRole("row").filter({ hasText: member.account })
  const sheet = page.getByRole("dialog", { name: /^Deposit \d+$/ })
  await waiting.filter({ hasText: "Under the minimum" }).getByRole("button").click()
  await sheet.getByRole("button", { name: "Credit to the member" }).click()
  await sheet.getByText("Say why").waitFor()
  assert.equal(await balanceOf("USDT"), "0.000000")
  await sheet.getByLabel("Reason", { exact: true }).fill("Called back:\nno more will come")
  await sheet.getByRole("button", { name: "Credit to the member" }).click()
  await sheet.waitFor({ state: "detached" })
  await soon(async () => (await balanceOf("USDT")) === "3.000000")

  await waiting.filter({ hasText: "Another coin" }).getByRole("button").click()
  await sheet.getByText("Refuse it", { exact: true }).click()
  await sheet.getByLabel("Reason", { exact: true }).fill("It goes back to who sent it")
  await phone.shot("operator-decision")
  await sheet.getByRole("button", { name: "Refuse the deposit" }).click()
  await sheet.waitFor({ state: "detached" })
  await soon(async () => (await top_ups()).some(({ status }) => status === "refused"))
  await waiting.first().waitFor({ state: "detached" })
  assert.deepEqual([await balanceOf("USDT"), await balanceOf("KLS")], ["3.000000", "0.00000000"])
})

test("a correction, a price and a switch count for members once another person has signed them", async () => {
  await section(page, "Commands")
  const start = page.getByRole("button", { name: "New command" })
  const sheet = page.getByRole("dialog")
  const look = sheet.getByRole("button", { name: "See what it would do" })
  await start.click()
  await sheet.getByLabel("From", { exact: true }).selectOption("marketing")
  await sheet.getByLabel("To", { exact: true }).selectOption("member")
  await sheet.getByLabel("To: account of the member").fill(member.account)
  await sheet.getByLabel("Amount", { exact: true }).fill("7")
  await look.click()
  await sheet.getByText("Say which mistake it puts right").waitFor()
  await sheet.getByLabel("Note", { exact: true }).fill("A prize that was never paid")
  await look.click()
  await sheet.getByText("10.000000").waitFor()
  await sheet.getByText("A prize that was never paid").waitFor()
  await askFor(page, "The prize of Monday")

  await start.click()
  await sheet.getByText("Price", { exact: true }).click()
  const price = sheet.getByLabel(/^Price of 1 KLS/)
  await price.fill("0.53")
  await look.click()
  await sheet.getByText("Rate: outside its bounds").waitFor()
  await sheet.getByRole("button", { name: "Back" }).click()
  await price.fill("0.51")
  await look.click()
  await askFor(page, "What other places pay")

  await section(page, "Country switches")
  await page.getByRole("row").filter({ hasText: "Games" }).getByRole("button").first().click()
  await sheet.getByLabel(/^Country/).fill(COUNTRY)
  await sheet.getByRole("button", { name: "Switch off" }).click()
  await askFor(page, "The licence ended")

  await section(page, "Commands")
  await page.getByRole("row").filter({ hasText: "correction" }).getByRole("button").click()
  await sheet.getByText("You asked for this: somebody else must sign it.").waitFor()
  await sheet.getByText("A prize that was never paid").waitFor()
  assert.equal(await sheet.getByRole("button", { name: "Sign it" }).count(), 0)
  await page.keyboard.press("Escape")
  assert.deepEqual(
    [await balanceOf("USDT"), await priceShown(), await gamesAreOn()],
    ["3.000000", "0.50000000", true],
  )

  await second.page.reload()
  await sign(second.page, `correction house marketing to ${member.account} USDT`, "The prize of Monday")
  await sign(second.page, "price KLS", "What other places pay")
  await sign(second.page, `switch games ${COUNTRY}`, "The licence ended")
  await soon(async () => (await balanceOf("USDT")) === "10.000000")
  await soon(async () => !(await gamesAreOn()))
  await soon(async () => (await priceShown()) === "0.51000000")
  const theirs = await Phone.open(browser)
  await theirs.page.goto(`${product.url}/login?redirect=/node4`)
  await logIn(theirs.page, product, member.account, member.password)
  await theirs.page.getByText("1 KLS = 0.51 USDT").waitFor()
  await theirs.context.close()
})

test("a price that falls while a withdrawal is reviewed moves nothing, and the review says what it costs now", async () => {
  const holder = { account: "10000002", email: "10000002@demo.kalos.example", out: "246810" }
  product.hide(holder.out)
  const theirs = await Phone.open(browser)
  await theirs.page.goto(`${product.url}/login?redirect=/node4`)
  await logIn(theirs.page, product, holder.account, "demo1234")
  const confirm = theirs.page.getByRole("button", { name: "Withdraw 20 USDT", exact: true })
  const review = theirs.page.getByRole("dialog")
  await theirs.page.getByLabel("Amount", { exact: true }).fill("20")
  await theirs.page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "Done" }).click()
  await theirs.page.getByRole("button", { name: "Review", exact: true }).click()
  await review.getByText("1 KLS = 0.51 USDT").waitFor()
  const token = await tokenOf(theirs.page, product)
  const rows = async () => (await product.call("/api/withdraw/list", {}, token)).list
  await review.getByText("0.19607844").first().waitFor()
  await confirm.click()
  await review.getByLabel("Withdrawal password", { exact: true }).fill(holder.out)
  await typeMailedCode(theirs.page, product, holder.email)

  await page.getByRole("button", { name: "New command" }).click()
  await page.getByRole("dialog").getByText("Price", { exact: true }).click()
  await page
    .getByRole("dialog")
    .getByLabel(/^Price of 1 KLS/)
    .fill("0.49")
  await page.getByRole("dialog").getByRole("button", { name: "See what it would do" }).click()
  await askFor(page, "It fell everywhere")
  // From here on the review knows the old price alone, until it is refused.
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await theirs.page.route("**/api/withdraw/index", async (route) => {
    await held
    await route.continue()
  })
  await second.page.reload()
  await sign(second.page, "price KLS", "It fell everywhere")
  await soon(async () => (await priceShown()) === "0.49000000")
  await confirm.click()
  await review.getByText("The price has changed, please confirm again").waitFor()
  assert.deepEqual(await rows(), [])
  release()
  await review.getByText("1 KLS = 0.49 USDT").waitFor()
  await review.getByText("0.20408164").first().waitFor()
  await theirs.shot("withdraw-price-changed-dark")
  await confirm.click()
  await theirs.page.getByRole("heading", { name: "Receipt" }).waitFor()
  assert.deepEqual(
    (await rows()).map(({ amount, fee }) => [amount, fee]),
    [["20.000000", "0.20408164"]],
  )
  await theirs.context.close()
})

test("a ticket is answered by who has read all of it, and closed", async () => {
  const asked = { subject: "A prize", text: "Where is the prize of Monday?" }
  const { ticket_id } = await product.call("/api/support/open", asked, member.token)
  const thread = () => product.call("/api/support/read", { ticket_id }, member.token)
  await section(page, "Customer service")
  await page.getByLabel("Account of a member").fill(member.account)
  await page.getByRole("button", { name: ticket_id, exact: true }).click()
  const sheet = page.getByRole("dialog", { name: `Ticket ${ticket_id}` })
  await sheet.getByText(asked.text).waitFor()
  await sheet.getByLabel("Your answer").fill("It is there now.\nThank you for your patience.")
  await product.call("/api/support/reply", { ticket_id, text: "It was 7 USDT." }, member.token)
  const send = sheet.getByRole("button", { name: "Send the answer" })
  await send.click()
  await sheet.getByText("It was 7 USDT.").waitFor()
  await sheet.getByText("Read it above first.").waitFor()
  assert.equal(await send.isDisabled(), true)
  assert.equal((await thread()).messages.length, 2)
  await phone.shot("operator-ticket")
  await sheet.getByRole("button", { name: "I have read it" }).click()
  await send.click()
  await sheet.getByRole("listitem").filter({ hasText: "operator" }).getByText("It is there now.").waitFor()
  const { state, messages } = await thread()
  assert.deepEqual([state, messages[2]?.by, messages[2]?.text.split("\n").length], ["answered", "house", 2])
  await sheet.getByRole("button", { name: "Close the ticket" }).click()
  await sheet.waitFor({ state: "detached" })
  assert.equal((await thread()).state, "closed")
  await section(page, "Audit log")
  await page.getByRole("row").filter({ hasText: "Closed a ticket" }).first().waitFor()
})

test("a bulletin is written in two languages, read by members, and withdrawn", async () => {
  await section(page, "Bulletins")
  await page.getByRole("button", { name: "New bulletin" }).click()
  const sheet = page.getByRole("dialog")
  const publish = sheet.getByRole("button", { name: "Publish", exact: true })
  const [title, text] = [
    sheet.getByLabel("Title", { exact: true }),
    sheet.getByLabel("Text", { exact: true }),
  ]
  await sheet.getByLabel("Name", { exact: true }).fill("calm-night")
  await publish.click()
  await sheet.getByText("Write the English title and text").waitFor()
  await title.fill("A calm night")
  await text.fill("On Monday <b>we rest</b>.")
  await publish.click()
  await sheet.getByText(/^Bulletin: en: /).waitFor()
  await text.fill("On Monday we rest.\n\nUntil **six**.")
  await sheet.getByLabel("Language", { exact: true }).selectOption("th")
  await title.fill("คืนที่สงบ")
  await text.fill("วันจันทร์เราพัก")
  await publish.click()
  await sheet.waitFor({ state: "detached" })
  const told = async () => (await product.call("/api/basic/bulletinList", {}, member.token)).list
  const shown = (await told()).find((one) => one.title === "A calm night")
  assert.equal(shown?.summary, "On Monday we rest.")

  await page.getByRole("row").filter({ hasText: "2 of 7" }).getByRole("button").click()
  assert.equal(await text.inputValue(), "On Monday we rest.\n\nUntil **six**.")
  await phone.shot("operator-bulletin")
  await sheet.getByRole("button", { name: /^Withdraw it/ }).click()
  await sheet.waitFor({ state: "detached" })
  await page.getByRole("row").filter({ hasText: "A calm night" }).getByText("Withdrawn").waitFor()
  assert.equal((await told()).filter(({ id }) => id === shown?.id).length, 0)
})

test("every page can be read by everyone, at a desk and on a phone", async () => {
  const found: string[] = []
  for (const path of PAGES) {
    await page.setViewportSize(DESK)
    await page.goto(`${product.url}/operator${path}`)
    await page.locator("h1").waitFor()
    await page.waitForFunction(() => document.querySelector("main .animate-breathe") === null)
    found.push(...(await faultsOf(page)).map((fault) => `/operator${path}: ${fault}`))
    await phone.shot(`operator${path.replace("/", "-")}`)
    await page.setViewportSize(PHONE)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > PHONE.width) found.push(`/operator${path}: is ${width} wide on a phone`)
    if (!OUTSIDE.has(path) && !(await sectionIsInView(page, PHONE.width)))
      found.push(`/operator${path}: its section is out of view on a phone`)
    await phone.shot(`operator${path.replace("/", "-")}-phone`)
  }
  assert.deepEqual(found, [])
})

test("the dashboard tells what the house has, what was turned over and given back, and of when that is", async () => {
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  const reserves = page.getByRole("region", { name: "Liabilities and reserves" })
  await reserves.getByText("USDT").waitFor({ timeout: RESERVES_MS })
  const returns = page.getByRole("region", { name: "Return to player" })
  const row = returns.getByRole("row").filter({ hasText: "Odd even" }).filter({ hasText: "Today" })
  await row.getByRole("cell", { name: "97.50%" }).waitFor()
  await page.getByText(/^Not in it: [\d,.]+ USDT and [\d,.]+ KLS in bets that wait for their draw/).waitFor()
  await page.getByText(/^the ledger's daily sums, last posting \d+ (s|min) ago$/).waitFor()
  await page.getByText(/^Today is the business day \d{4}-\d\d-\d\d/).waitFor()
})

test("a new authenticator is shown for what counts until now, and only its first code makes it count", async () => {
  await page.getByRole("link", { name: /Your account/ }).click()
  const panel = page.locator("section").filter({ has: page.getByRole("heading", { name: "Authenticator" }) })
  await panel.getByRole("button", { name: "Show a new secret" }).click()
  await panel.getByText("Enter your present password").waitFor()
  await panel.getByLabel("Present password", { exact: true }).fill("not-this-one")
  await panel.getByLabel("Authenticator code", { exact: true }).fill("000000")
  await panel.getByRole("button", { name: "Show a new secret" }).click()
  await panel.getByRole("alert").waitFor()
  await proveStaff(panel, product, "operator", "Show a new secret", panel.getByRole("img"))
  await phone.shot("operator-new-authenticator")
  await panel.getByLabel("First code of the new authenticator").fill("000000")
  await panel.getByRole("button", { name: "Use the new authenticator" }).click()
  await panel.getByRole("alert").waitFor()
  await panel.getByRole("button", { name: "Keep the old one" }).click()
  await panel.getByRole("button", { name: "Show a new secret" }).waitFor()
  await section(page, "Audit log")
  const row = page.getByRole("row").filter({ hasText: "Asked for a new authenticator" })
  await row.filter({ hasText: "operator" }).first().waitFor()
})

/** What a withdrawal's fee is made with. */
const priceShown = async () => (await product.call("/api/withdraw/index", {}, member.token)).price

const gamesAreOn = async () =>
  (await product.call("/api/user/disclosures", {}, member.token)).list.find(
    ({ feature }) => feature === "games",
  )?.on

/** A coin that no top-up takes, from the treasury of the local chain. */
async function sendKls(address: string): Promise<void> {
  const [treasury] = await product.askNode("eth_accounts")
  const word = (value: string) => value.padStart(64, "0")
  const data = `0xa9059cbb${word(address.slice(2).toLowerCase())}${word(KLS_UNITS.toString(16))}`
  const to = await product.contract("KLS")
  await product.askNode("eth_sendTransaction", { from: treasury, to, data })
}
