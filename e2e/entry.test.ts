/** What stands before the product: slides after failures, a forgotten password, an account frozen by a mail's link. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { logIn, slide, soon, tokenOf } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const NEW = "another9mountain"
// A product of its own: whoever registers was sent a code just now, and the next one waits a minute; here the demo
// account that other files log in with may get a new password.
const { product, phone, page } = await useProduct({ own: {} })
const member = { account: "10000002", password: "demo1234" }
const email = "10000002@demo.kalos.example"
product.hide(NEW)

const button = (name: string) => page.getByRole("button", { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const mails = async (): Promise<{ subject: string; text: string; code: string | null }[]> =>
  (await product.call("/api/demo/inbox", { email })).list

test("after two failures a slide is asked for, and the picture that was read stays good", async () => {
  await page.goto(`${product.url}/login`)
  for (let time = 0; time < 2; time++) {
    await logIn(page, product, member.account, "wrong5password")
    await page.getByText("Account or password is wrong").first().waitFor()
  }
  await logIn(page, product, member.account, member.password)
  await page.getByRole("slider", { name: "Place of the piece" }).waitFor()
  await phone.shot("login-slide-dark")
  await slide(page, product, "drag")
  await page.waitForURL(/\/home$/)
})

test("a forgotten password is set anew: one slide with the keys, one dragged, and a code between them", async () => {
  const before = await tokenOf(page, product)
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
  await page.goto(`${product.url}/login`)
  await page.getByRole("link", { name: "Forgotten password" }).click()
  await field("E-mail").fill(email)
  await button("Send code").click()
  await slide(page, product, "keys")
  const code = await soon(
    async () => (await mails()).find(({ text }) => text.includes("new password is"))?.code,
  )
  await field("Code from the e-mail").fill(code)
  await field("New password").fill(NEW)
  await field("New password once more").fill(NEW)
  await phone.shot("forgot-dark")
  await button("Set the new password").click()
  await slide(page, product, "drag")
  await page.waitForURL(/\/login$/)
  await assert.rejects(product.call("/api/user/info", {}, before), /406/)
  await logIn(page, product, email, NEW)
  await page.waitForURL(/\/home$/)
})

test("a mail's link freezes the account, and log-in then leads to a new password", async () => {
  const link = await soon(async () =>
    (await mails()).map(({ text }) => /\S+\?freeze=\S+/.exec(text)?.[0]).find(Boolean),
  )
  const { search } = new URL(link)
  await page.goto(`${product.url}/login${search}`)
  await phone.shot("freeze-dark")
  await button("Freeze my account").click()
  await page.getByText("Every device is logged out").waitFor()
  await phone.shot("frozen-dark")
  assert.equal(await page.evaluate(() => localStorage.getItem("kalos.token")), null)
  await page.goto(`${product.url}/login${search}`)
  await button("Freeze my account").click()
  await page.getByText("This link was used already").waitFor()
  await page.goto(`${product.url}/login`)
  await logIn(page, product, email, NEW)
  await page.getByText("If you froze it, set a new password").first().waitFor()
  await page.getByRole("link", { name: "Set a new password" }).click()
  await page.getByRole("heading", { name: "New password" }).waitFor()
})
