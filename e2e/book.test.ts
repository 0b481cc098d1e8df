/** The book of withdrawal addresses: not without a withdrawal password, not with a slip, and out again. */
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import { logIn, newMember, setOutPassword, slide, typeMailedCode } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const OUT = "246810"
const NEXT = "975310"
const WRONG = "135790"
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
const SLIP = ADDRESS.replace("Ef1", "Ef2")

const { product, phone, page } = await useProduct()
const member = await newMember(product)
const sheet = page.getByRole("dialog")
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
const field = (name: string) => sheet.getByLabel(name, { exact: true })
const book = async () => (await product.call("/api/user/walletList", {}, member.token)).list

test("without a withdrawal password the way to it stands there, and no form", async () => {
  await page.goto(`${product.url}/login?redirect=/address3`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("link", { name: "Set a withdrawal password" }).waitFor()
  await page.getByText("No address yet.").waitFor()
  assert.equal(await button("Add an address").count(), 0)
  await phone.shot("book-locked-dark")
})

test("a slip is told where it was made; the right address is added and can be used", async () => {
  await setOutPassword(product, member, OUT)
  await page.reload()
  await button("Add an address").click()
  await field("Address").fill(SLIP)
  await sheet.getByText("Its checksum is wrong").waitFor()
  await field("Address").fill(ADDRESS.toLowerCase())
  await sheet.getByText("Its capital letters are missing").waitFor()
  await phone.shot("book-slip-dark")
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.evaluate((text) => navigator.clipboard.writeText(` ${text}\n`), ADDRESS)
  await sheet.getByRole("button", { name: "Paste" }).click()
  await sheet.getByText("Its checksum is right.").waitFor()
  await field("Name for it").fill(" My hardware wallet ")
  await field("Withdrawal password").fill(WRONG)
  await typeMailedCode(page, product, member.email)
  await sheet.getByText("It can be used at once.").waitFor()
  await phone.shot("book-add-dark")
  await button("Add this address").click()
  await slide(page, product, "keys")
  await sheet.getByText("The withdrawal password is wrong").waitFor()
  assert.deepEqual(await book(), [])
  await field("Withdrawal password").fill(OUT)
  await button("Add this address").click()
  await slide(page, product, "keys")
  await sheet.waitFor({ state: "detached" })
  await page.locator(`[data-address="${ADDRESS}"]`).waitFor()
  await page.getByText("Usable", { exact: true }).waitFor()
  await phone.shot("book-dark")
  assert.deepEqual(
    (await book()).map(({ address, label }) => [address, label]),
    [[ADDRESS, "My hardware wallet"]],
  )
})

test("the same address is told to stand there already", async () => {
  await button("Add an address").click()
  await field("Address").fill(ADDRESS)
  await field("Name for it").fill("again")
  await sheet.getByText("This address is in your book already").waitFor()
  await button("Close").click()
})

test("after five wrong withdrawal passwords the right one doesn't count either, until a mailed code sets another", async () => {
  const { token } = member
  const [row] = await book()
  await button("Delete My hardware wallet").click()
  await field("Withdrawal password").fill(WRONG)
  await button("Delete the address").click()
  await sheet.getByText("The withdrawal password is wrong").waitFor()
  // The first was typed for the address, the second here.
  for (let wrong = 3; wrong <= 5; wrong++) {
    const wish = { id: row?.id ?? "", out_password: WRONG, request_id: randomUUID() }
    await assert.rejects(product.call("/api/user/delWallet", wish, token), /: 403 /)
  }
  await field("Withdrawal password").fill(OUT)
  await button("Delete the address").click()
  await sheet.getByText("Please set the withdrawal password anew").waitFor()
  await phone.shot("book-locked-out-dark")
  assert.equal((await book()).length, 1)
  await page.evaluate(() => sessionStorage.removeItem("kalos.sent.factor"))
  await sheet.getByRole("link", { name: "Fix this" }).click()
  await page.getByText("Locked after too many wrong entries.").waitFor()
  product.hide(NEXT)
  await page.getByLabel("New withdrawal password", { exact: true }).fill(NEXT)
  await page.getByLabel("New withdrawal password once more", { exact: true }).fill(NEXT)
  await typeMailedCode(page, product, member.email)
  await phone.shotOfAll("withdraw-locked-out-dark")
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await page.getByRole("heading", { name: "New withdrawal password set" }).waitFor()
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  assert.equal((await product.call("/api/user/info", {}, token)).out_password_locked, false)
})

test("it is deleted with the withdrawal password", async () => {
  await page.goto(`${product.url}/address3`)
  await button("Delete My hardware wallet").click()
  await field("Withdrawal password").fill(OUT)
  await button("Delete the address").click()
  await sheet.getByText("The withdrawal password is wrong").waitFor()
  await phone.shot("book-delete-dark")
  await field("Withdrawal password").fill(NEXT)
  await button("Delete the address").click()
  await page.getByText("No address yet.").waitFor()
  assert.deepEqual(await book(), [])
})
