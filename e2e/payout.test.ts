/** Money out to its end: from the chain to a balance, out past a second signature, to an address; and a chain that stands still. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Locator } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { logIn, newMember, setOutPassword, slide, soon, typeMailedCode } from "./support/people.ts"
import { logInStaff, passphraseOf, section } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const OUT = "246810"
const ADDRESS = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
const UNITS = 10_000_500_000n
/** From here on two people sign. */
const LARGE = "50000"
const REASON = "The member was called and knows of it"
const CONFIRMATIONS = 3
/** The newest block may be so old: behind it nobody knows what comes next. */
const RESULT_WINDOW_S = 15
const DESK = { width: 1280, height: 800 }

// A product of its own: where no blocks come, open rounds get none to draw from.
const { product, browser, phone, page } = await useProduct({ own: {} })
const member = await newMember(product)
const sheet = page.getByRole("dialog")
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
const field = (name: string) => sheet.getByLabel(name, { exact: true })
const balance = async () =>
  (await product.call("/api/finance/userFinance", {}, member.token)).list.find(
    ({ asset }) => asset === "USDT",
  )

/** What the address has, as the chain's own node says. */
async function unitsThere(): Promise<bigint> {
  const to = await product.contract("USDT")
  const data = `0x70a08231${ADDRESS.slice(2).toLowerCase().padStart(64, "0")}`
  return BigInt(await product.askNode("eth_call", { to, data }, "latest"))
}

const withdrawal = async () => (await product.call("/api/withdraw/list", {}, member.token)).list[0]
const mine = () => product.call("/api/demo/mine", { blocks: 1 })

test("a member tops up on the chain and binds an address", async () => {
  await setOutPassword(product, member, OUT)
  await product.call("/api/demo/faucet", { amount: "12000" }, member.token)
  await page.goto(`${product.url}/login?redirect=/node3`)
  await logIn(page, product, member.account, member.password)
  await button("Send test USDT").click()
  await button(/\+100\.00 USDT/)
    .getByText("Approved")
    .waitFor({ timeout: 60_000 })
  await soon(async () => (await balance())?.available === "12100.000000")
  await page.goto(`${product.url}/address3`)
  await button("Add an address").click()
  await field("Address").fill(ADDRESS)
  await field("Name for it").fill("My hardware wallet")
  await field("Withdrawal password").fill(OUT)
  await typeMailedCode(page, product, member.email)
  await button("Add this address").click()
  await slide(page, product, "keys")
  await sheet.waitFor({ state: "detached" })
  await page.getByText("Never used").waitFor()
})

test("what is withdrawn arrives at the address once a second person has signed it", async () => {
  const before = await unitsThere()
  await ask("10000.5", "10,000.5")
  await page.getByText("1 person looks at it").waitFor()
  assert.equal(await unitsThere(), before)

  const { phone: second, drawer } = await openReview("reviewer")
  await drawer.locator(`[data-address="${ADDRESS}"]`).waitFor()
  await drawer.getByLabel("Reason", { exact: true }).fill(REASON)
  await drawer.getByLabel("Signing passphrase", { exact: true }).fill("somebody else's words")
  await drawer.getByRole("button", { name: "Sign and pay out" }).click()
  await drawer.getByText("This is not your signing passphrase").waitFor()
  await drawer.getByLabel("Signing passphrase", { exact: true }).fill(passphraseOf("reviewer"))
  await second.shot("operator-review")
  await product.withoutBlocks(async () => {
    await drawer.getByRole("button", { name: "Sign and pay out" }).click()
    await drawer.waitFor({ state: "detached" })
    await page.getByText("0 of 3 confirmations").waitFor()
    await untilOnTheChain(before)
    for (const more of [1, 2]) {
      await mine()
      await page.getByText(`${more} of 3 confirmations`).waitFor()
      assert.equal((await withdrawal())?.confirmations, more)
    }
    await phone.shot("withdraw-on-the-way-dark")
    assert.equal(await page.getByText("Arrived").count(), 0)
  })
  await second.context.close()

  await page.getByText("Arrived").waitFor({ timeout: 60_000 })
  assert.equal((await unitsThere()) - before, UNITS)
  const row = await withdrawal()
  assert.deepEqual([row?.status, row?.address], ["approved", ADDRESS])
  assert.deepEqual(
    [(await balance())?.held, Number((await balance())?.available) < 2_099.5],
    ["0.000000", true],
  )
  await phone.shotOfAll("withdraw-arrived-dark")
  await lookBehind(await newestBlock())
  await soon(async () => {
    const { code, said } = await product.command("audit")
    assert.ok(code === 0 || said === "the reserves were never looked at\n", said)
    return code === 0
  })
})

test("a large one waits for two people, of whom nobody signs twice", async () => {
  const before = await unitsThere()
  await product.call("/api/demo/faucet", { amount: LARGE }, member.token)
  await soon(async () => Number((await balance())?.available) > Number(LARGE))
  await page.getByRole("link", { name: "My withdrawals" }).click()
  await ask(LARGE, "50,000")
  await page.getByText("2 people look at it").waitFor()

  const first = await openReview("reviewer")
  await signAs(first.drawer, "reviewer")
  await first.phone.page.getByRole("row").filter({ hasText: member.account }).getByRole("button").click()
  await first.drawer.getByText("You have answered. The next answer must be somebody else's.").waitFor()
  await first.phone.shot("operator-review-first-of-two")
  assert.equal(await first.drawer.getByRole("button", { name: "Sign and pay out" }).count(), 0)
  await first.phone.context.close()
  assert.deepEqual([(await withdrawal())?.status, await unitsThere()], ["pending_review", before])
  await page.getByText("2 people look at it").waitFor()

  const second = await openReview("operator")
  await second.drawer.getByText(/^reviewer said yes on/).waitFor()
  await signAs(second.drawer, "operator")
  await second.phone.context.close()
  await page.getByText("Arrived").waitFor({ timeout: 60_000 })
  assert.equal((await unitsThere()) - before, BigInt(LARGE) * 1_000_000n)
})

test("the book says when the address was used last", async () => {
  await page.goto(`${product.url}/address3`)
  await page.locator(`[data-address="${ADDRESS}"]`).waitFor()
  const [entry] = (await product.call("/api/user/walletList", {}, member.token)).list
  assert.equal(entry?.last_used_at, (await withdrawal())?.requested_at)
  await page.getByText(/^Last used [A-Z]\w+ \d+, \d+/).waitFor()
  assert.equal(await page.getByText("Never used").count(), 0)
})

test("while no block comes games and top-ups say why they wait, and go on by themselves", async () => {
  const noBets = page.getByText("No bets at the moment: the chain's nodes don't agree, or show no new block.")
  const later = page.getByText("Top-ups show later than usual: the chain's nodes don't agree")
  await page.goto(`${product.url}/game1`)
  await page.getByRole("radio", { name: /^Odd/ }).waitFor()
  assert.equal(await noBets.count(), 0)
  await product.withoutBlocks(async () => {
    await product.call("/api/demo/clock", { advance_seconds: RESULT_WINDOW_S + 1 })
    await noBets.waitFor()
    await page.goto(`${product.url}/node3`)
    await later.waitFor()
    await page.goto(`${product.url}/game1`)
    await noBets.waitFor()
  })
  await noBets.waitFor({ state: "detached" })
  await page.goto(`${product.url}/node3`)
  await button("Send test USDT").waitFor()
  assert.equal(await later.count(), 0)
})

const newestBlock = async () => Number(await product.askNode("eth_blockNumber"))

/** Withdraw to the address in the book, to the last answer. */
async function ask(typed: string, shown: string): Promise<void> {
  await page.evaluate(() => sessionStorage.removeItem("kalos.sent.factor"))
  await page.goto(`${product.url}/node4`)
  await page.getByLabel("Amount", { exact: true }).fill(typed)
  await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "Done" }).click()
  await page.getByText("Buy the exact KLS for this fee").click()
  await button("Review").click()
  await button(`Withdraw ${shown} USDT`).click()
  await field("Withdrawal password").fill(OUT)
  await typeMailedCode(page, product, member.email)
  await button(`Withdraw ${shown} USDT`).click()
}

/** The member's withdrawal that waits, as somebody of staff opens it at a desk of their own. */
async function openReview(name: "operator" | "reviewer"): Promise<{ phone: Phone; drawer: Locator }> {
  const phone = await Phone.open(browser)
  await phone.page.setViewportSize(DESK)
  await logInStaff(phone.page, product, name)
  await section(phone.page, "Withdrawals")
  await phone.page.getByRole("row").filter({ hasText: member.account }).getByRole("button").click()
  return { phone, drawer: phone.page.getByRole("dialog", { name: /^Withdrawal \d+$/ }) }
}

async function signAs(drawer: Locator, name: "operator" | "reviewer"): Promise<void> {
  await drawer.getByLabel("Reason", { exact: true }).fill(REASON)
  await drawer.getByLabel("Signing passphrase", { exact: true }).fill(passphraseOf(name))
  await drawer.getByRole("button", { name: "Sign and pay out" }).click()
  await drawer.waitFor({ state: "detached" })
}

/** Have the reserves looked at anew once the last final block is one behind `block`. */
async function lookBehind(block: number): Promise<void> {
  await soon(async () => (await newestBlock()) > block + CONFIRMATIONS)
  await product.lookAtReserves()
}

/** Mine until the payment is in the last block: what else the signer sends may come before it. */
async function untilOnTheChain(before: bigint): Promise<void> {
  const waits = async () => Number((await product.askNode("txpool_status")).pending) > 0
  await soon(async () => {
    if ((await unitsThere()) > before) return true
    if (await waits()) await mine()
    return false
  })
}
