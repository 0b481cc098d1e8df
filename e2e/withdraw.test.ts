/** Money out as a person asks for it: whereto, how much, at what cost, with which proof; and what refuses it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { violationsOf } from "./support/axe.ts"
import { layoutFaults } from "./support/layout.ts"
import {
  comeBackEnded,
  logIn,
  mailedCode,
  NOWHERE,
  newMember,
  provenSlide,
  setOutPassword,
  slide,
  soon,
  typeMailedCode,
} from "./support/people.ts"
import { openScreen, settled } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const OUT = "246810"
// Longer than what draws the form anew leaves in peace: its clock, every second.
const LATE_MS = 1_500
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

const { product, phone, page } = await useProduct()
const member = await newMember(product, "15000")
const sheet = page.getByRole("dialog")
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
const field = (name: string) => sheet.getByLabel(name, { exact: true })
const amount = page.getByLabel("Amount", { exact: true })
const rows = async () => (await product.call("/api/withdraw/list", {}, member.token)).list
const held = async () => {
  const { list } = await product.call("/api/finance/userFinance", {}, member.token)
  return list.filter(({ held }) => Number(held) > 0).map(({ asset, held }) => `${held} ${asset}`)
}

/** Type an amount and put the keypad away, which stands over the rest. */
async function typeAmount(text: string): Promise<void> {
  await amount.fill(text)
  await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "Done" }).click()
}

const buyFee = () => page.getByText("Buy the exact KLS for this fee").click()

/** As if the minute between two mails were over, for the page too. */
async function endWait(): Promise<void> {
  await page.evaluate(() => sessionStorage.removeItem("kalos.sent.factor"))
  await page.reload()
}

test("without a withdrawal password the way to it stands there, and nothing can be reviewed", async () => {
  await page.goto(`${product.url}/login?redirect=/node4`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("link", { name: "Set a withdrawal password" }).waitFor()
  await page.getByText("your own book alone, and it is empty yet").waitFor()
  assert.equal(await button("Review").isDisabled(), true)
  await phone.shot("withdraw-locked-dark")
})

test("an address is added and chosen on the way, and the amount stays", async () => {
  await setOutPassword(product, member, OUT)
  await page.reload()
  await typeAmount("20")
  await button("Add an address").click()
  await page.waitForURL(/\/address3\?pick=true/)
  // The form before it has a button of that name, and stands until the book's code has come.
  await page.getByRole("heading", { name: "Choose an address" }).waitFor()
  await button("Add an address").click()
  const own = await product.call("/api/recharge/index", {}, member.token)
  await field("Address").fill(own.address)
  await field("Name for it").fill("My hardware wallet")
  await field("Withdrawal password").fill(OUT)
  await typeMailedCode(page, product, member.email)
  await button("Add this address").click()
  await slide(page, product, "keys")
  await sheet.getByText("This address belongs to Kalos or to a coin's contract.").waitFor()
  await phone.shot("withdraw-own-address-dark")
  await field("Address").fill(ADDRESS)
  await button("Add this address").click()
  await slide(page, product, "keys")
  await sheet.waitFor({ state: "detached" })
  await phone.shot("withdraw-pick-dark")
  await button("Use My hardware wallet").click()
  await page.waitForURL(/\/node4/)
  await page.locator(`[data-address="${ADDRESS}"]`).waitFor()
  assert.equal(await amount.inputValue(), "20")
})

test("what can't be withdrawn is told with its figure before anything is sent", async () => {
  await typeAmount("9.5")
  await page.getByText("The smallest withdrawal is 10 USDT.").waitFor()
  await typeAmount("15000.01")
  await page.getByText(/^You have 1[\d,.]+ USDT available\.$/).waitFor()
  await typeAmount("20")
  await page.getByText(/^For the fee 0\.\d+ KLS are missing/).waitFor()
  assert.equal(await button("Review").isDisabled(), true)
  await phone.shot("withdraw-short-dark")
})

test("the review names all of it; Back closes it, and a code for another amount is worth nothing", async () => {
  await endWait()
  await typeAmount("20")
  await buyFee()
  await page.getByText("It is sent without anybody looking at it").waitFor()
  await phone.shotOfAll("withdraw-form-dark")
  await button("Review").click()
  await sheet.locator(`[data-address="${ADDRESS}"]`).waitFor()
  await sheet.getByText("What was sent on the chain can't be called back.").waitFor()
  await phone.shot("withdraw-review-dark")
  await button("Withdraw 20 USDT").click()
  await typeMailedCode(page, product, member.email)
  const code = await field("Code from the e-mail").inputValue()
  await page.goBack()
  await sheet.waitFor({ state: "detached" })
  await typeAmount("21")
  await button("Review").click()
  await button("Withdraw 21 USDT").click()
  assert.equal(await field("Code from the e-mail").inputValue(), "")
  assert.equal(await sheet.getByText(/^Sent to/).count(), 0)
  await field("Withdrawal password").fill(OUT)
  await field("Code from the e-mail").fill(code)
  await button("Withdraw 21 USDT").click()
  await sheet.getByText("The code is wrong").waitFor()
  await phone.shot("withdraw-code-dark")
  assert.deepEqual([await rows(), await held()], [[], []])
})

test("a page that is loaded anew under a review loses it by one step back, however late the browser carries it out", async () => {
  const asked = await goBackLate()
  await endWait()
  await amount.waitFor()
  await sheet.waitFor({ state: "detached" })
  assert.equal(new URL(page.url()).pathname, "/node4")
  assert.equal(await asked(), 1)
  await page.goto(`${product.url}/node4`)
})

test("with password and code it is held, and the receipt follows it", async () => {
  await endWait()
  await typeAmount("20")
  await buyFee()
  await button("Review").click()
  await button("Withdraw 20 USDT").click()
  await field("Withdrawal password").fill("135790")
  await typeMailedCode(page, product, member.email)
  await button("Withdraw 20 USDT").click()
  await sheet.getByText("The withdrawal password is wrong").waitFor()
  assert.deepEqual([await rows(), await held()], [[], []])
  await field("Withdrawal password").fill(OUT)
  await button("Withdraw 20 USDT").click()
  await page.getByRole("heading", { name: "Receipt" }).waitFor()
  await page.getByText("Asked for").waitFor()
  await page.locator(`[data-address="${ADDRESS}"]`).waitFor()
  await phone.shotOfAll("withdraw-receipt-dark")
  const [row] = await rows()
  assert.deepEqual([row?.amount, row?.address, row?.needed], ["20.000000", ADDRESS, 0])
  await page.goBack()
  await amount.waitFor()
  assert.equal(await sheet.count(), 0)
})

test("what is worth a lot is looked at by people, and the records say why", async () => {
  await endWait()
  await typeAmount("10000.5")
  await buyFee()
  await page.getByText("People look at this withdrawal before it is sent.").waitFor()
  await page.getByText("It is worth more than 10,000 USDT.").waitFor()
  await button("Review").click()
  await button("Withdraw 10,000.5 USDT").click()
  await field("Withdrawal password").fill(OUT)
  await typeMailedCode(page, product, member.email)
  await button("Withdraw 10,000.5 USDT").click()
  await page.getByText("1 person looks at it").waitFor()
  await page.getByRole("link", { name: "My withdrawals" }).click()
  await button(/^10,000\.5 USDT My hardware wallet .*Pending review/).click()
  await sheet.getByText("It is worth more than 10,000 USDT.").waitFor()
  await phone.shot("withdraw-sheet-dark")
  await button("Close").click()
  await sheet.waitFor({ state: "detached" })
  await phone.shot("withdraw-records-dark")
  assert.equal((await soon(rows)).length, 2)
  const { code, said } = await product.command("audit", "ledger")
  assert.equal(code, 0, said)
})

test("a changed log-in password holds withdrawals, and the form says until when", async () => {
  const { token, password } = member
  const other = "harbour8lights"
  product.hide(other)
  const email_code = await mailedCode(product, member, "password")
  await page.goto(NOWHERE)
  await product.call(
    "/api/user/upPwd",
    {
      old_password: password,
      new_password: other,
      confirm_password: other,
      email_code,
      proof: await provenSlide(product),
    },
    token,
  )
  await comeBackEnded(page, `${product.url}/node4`)
  await logIn(page, product, member.account, other)
  await page.getByText("For your security withdrawals are on hold until").waitFor()
  await typeAmount("20")
  assert.equal(await button("Review").isDisabled(), true)
  await phone.shot("withdraw-held-dark")
})

test("it stands at 320 points and in long languages, with nothing for axe to find", async () => {
  await page.setViewportSize({ width: 320, height: 700 })
  // Another tab chooses the language: this one follows without being opened anew.
  const other = await phone.context.newPage()
  await other.goto(`${product.url}/software-download`)
  for (const path of ["/node4", "/node4?tab=records", "/address3?pick=true"]) {
    await openScreen(page, product.url + path)
    for (const [language, tag] of [
      ["th", "th"],
      ["ja", "ja"],
      ["vn", "vi"],
      ["en", "en"],
    ]) {
      await other.evaluate((code) => {
        const kept = JSON.parse(localStorage.getItem("kalos.settings") ?? "{}")
        localStorage.setItem("kalos.settings", JSON.stringify({ ...kept, language: code }))
      }, language)
      await page.locator(`html[lang=${tag}]`).waitFor()
      await settled(page)
      assert.deepEqual(await page.evaluate(layoutFaults, 320), [], `${path} ${tag}`)
      await phone.shot(`narrow-${tag}${path.replace(/\W/g, "-")}`)
    }
    // What axe looks at no language changes.
    const found = await violationsOf(page)
    assert.deepEqual(
      found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
      [],
    )
  }
})

/** Until it is elsewhere the next document goes back late, as under load, and counts how often it was asked to. */
async function goBackLate(): Promise<() => Promise<number>> {
  const script = await page.addInitScript((wait) => {
    const seen = Object.assign(window, { askedBack: 0 })
    const late =
      <T extends unknown[]>(go: (...place: T) => unknown) =>
      (...place: T) => {
        seen.askedBack += 1
        const done = new Promise((end) => setTimeout(() => end(go(...place)), wait))
        return { committed: done, finished: done }
      }
    history.back = late(history.back.bind(history)) as never
    const { navigation } = window as never as { navigation: { traverseTo: (key: string) => unknown } }
    navigation.traverseTo = late(navigation.traverseTo.bind(navigation))
  }, LATE_MS)
  return async () => {
    await script.dispose()
    await page.waitForFunction(() => (window as never as { askedBack: number }).askedBack > 0)
    return page.evaluate(() => (window as never as { askedBack: number }).askedBack)
  }
}
