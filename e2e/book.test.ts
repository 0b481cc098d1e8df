/** The book of withdrawal addresses: not without a withdrawal password, not with a slip, and out again. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { logIn, newMember, provenSlide, slide, typeMailedCode } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const OUT = "246810"
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
  const { password, email, token } = member
  product.hide(OUT)
  const chosen = { new_password: OUT, confirm_password: OUT, password, proof: await provenSlide(product) }
  await product.call("/api/user/upOutPwd", chosen, token)
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
  await field("Withdrawal password").fill("135790")
  await typeMailedCode(page, product, email)
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

test("it is deleted with the withdrawal password", async () => {
  await button("Delete My hardware wallet").click()
  await field("Withdrawal password").fill("135790")
  await button("Delete the address").click()
  await sheet.getByText("The withdrawal password is wrong").waitFor()
  await phone.shot("book-delete-dark")
  await field("Withdrawal password").fill(OUT)
  await button("Delete the address").click()
  await page.getByText("No address yet.").waitFor()
  assert.deepEqual(await book(), [])
})
