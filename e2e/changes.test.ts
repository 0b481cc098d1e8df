/** What ends or moves an account's ways in: another password, another e-mail, and closing it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { logIn, type Member, newMember, slide, soon, tokenOf, untilEnded } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const NEW = "brown5river"
const { product, phone, page } = await useProduct()
const [member, leaver] = await Promise.all([newMember(product), newMember(product)])
const other = `second-${member.email}`
product.hide(NEW)

const button = (name: string) => page.getByRole("button", { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })

/** The newest code that an address was mailed for this step. */
const codeOf = (email: string, step: string): Promise<string> =>
  soon(async () => {
    const { list } = await product.call("/api/demo/inbox", { email })
    return list.find(({ text }) => text.includes(step))?.code
  })

async function goAs(
  { account, password }: Pick<Member, "account" | "password">,
  path: string,
): Promise<void> {
  await page.evaluate(() => localStorage.removeItem("kalos.token")).catch(() => undefined)
  await page.goto(`${product.url}/login?redirect=${encodeURIComponent(path)}`)
  await logIn(page, product, account, password)
  await page.waitForURL(`${product.url}${path}`)
}

test("a new password: refusals at their fields, the other session out within a second, the hold with its end", async () => {
  await goAs(member, "/me1")
  await page.getByRole("link", { name: /^Log-in password/ }).click()
  await field("Password until now").fill("wrong5password")
  await field("New password").fill(NEW)
  await field("New password once more").fill(`${NEW}1`)
  await button("Set the new password").click()
  await page.getByText("The two entries must match").first().waitFor()
  await field("New password once more").fill(NEW)
  await button("Set the new password").click()
  await page.getByText("The code has six digits").waitFor()
  await product.endCodeGap(member.email)
  await button("Send code").click()
  const code = await codeOf(member.email, "changing a password")
  await field("Code from the e-mail").fill(code)
  await phone.shotOfAll("centre-password-dark")
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await page.getByText("Account or password is wrong").first().waitFor()
  await field("Password until now").fill(member.password)
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await page.getByRole("heading", { name: "Your password is changed" }).waitFor()
  await untilEnded(product, member.token)
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  await phone.shot("centre-password-changed-dark")
  await page.getByRole("link", { name: "Back to the security centre" }).click()
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  await phone.shotOfAll("centre-dark")
})

test("another e-mail takes both codes, and then logs in", async () => {
  await product.endCodeGap(member.email)
  await page.evaluate(() => sessionStorage.removeItem("kalos.sent.factor"))
  await page.goto(`${product.url}/me1`)
  await page.getByRole("link", { name: /^E-mail/ }).click()
  await field("New e-mail").fill(other)
  await button("Send code").first().click()
  await page.getByText(`Sent to ${other}`).waitFor()
  await button("Send code").click()
  const code = await codeOf(other, "binding")
  await field("Code sent to the new address").fill(code)
  await field("Code sent to the present address").fill(code === "000000" ? "000001" : "000000")
  await button("Change the e-mail").click()
  await slide(page, product, "keys")
  await page.getByText("The code is wrong").first().waitFor()
  await field("Code sent to the present address").fill(await codeOf(member.email, "binding"))
  await phone.shotOfAll("centre-email-dark")
  await button("Change the e-mail").click()
  await slide(page, product, "keys")
  await page.getByRole("heading", { name: "Your e-mail is changed" }).waitFor()
  await goAs({ account: other, password: NEW }, "/me")
  await page.getByRole("link", { name: /^Security centre/ }).waitFor()
  await phone.shotOfAll("me-dark")
})

test("who holds something is told what is in the way of closing", async () => {
  const token = await tokenOf(page, product)
  await product.call("/api/demo/faucet", { amount: "10" }, token)
  await soon(async () => Number((await product.call("/api/finance/userFinance", {}, token)).total) > 0)
  await page.goto(`${product.url}/me3`)
  await page.getByRole("link", { name: "Close account" }).click()
  await page.getByRole("heading", { name: "Still in the way" }).waitFor()
  await page.getByRole("link", { name: /^USDT/ }).waitFor()
  await phone.shotOfAll("close-refused-dark")
  assert.equal(await button("Close the account for good").count(), 0)
})

test("an empty account closes, and nobody logs in to it any more", async () => {
  await goAs(leaver, "/me1?view=close")
  await field("Password").fill(leaver.password)
  await product.endCodeGap(leaver.email)
  await button("Send code").click()
  await field("Code from the e-mail").fill(await codeOf(leaver.email, "closing"))
  await field(`Type your account number ${leaver.account}`).fill("00000000")
  await button("Close the account for good").click()
  await page.getByText("This isn't your account number").first().waitFor()
  await field(`Type your account number ${leaver.account}`).fill(leaver.account)
  await phone.shotOfAll("close-dark")
  await button("Close the account for good").click()
  await slide(page, product, "drag")
  await page.getByText("Your account is closed.").waitFor()
  await phone.shot("closed-dark")
  assert.equal(await tokenOf(page, product), "")
  await untilEnded(product, leaver.token)
  await logIn(page, product, leaver.account, leaver.password)
  await page.getByText("Account or password is wrong").first().waitFor()
})
