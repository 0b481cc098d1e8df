/** Customer service freezes a member's account and opens it again: the member is out, kept out, in again and told. */
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { comeBackEnded, logIn, NOWHERE, newMember } from "./support/people.ts"
import { authenticator, knock, section } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const NAME = "clara"
const PASSWORD = "quiet-harbour-bell"
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const { product, browser, phone, page } = await useProduct()
const code = authenticator(await product.hire(NAME, "support", PASSWORD))
const member = await newMember(product)
const theirs = await Phone.open(browser)
const sought = page.getByLabel("Whole account number or e-mail")
const reason = page.getByLabel("Reason", { exact: true })

test("support finds an account by its whole number or address, and nobody by less", async () => {
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await knock(page, NAME, PASSWORD, await code())
  await section(page, "Members")
  await page.getByText("Type the eight digits of an account").waitFor()
  await phone.shot("operator-members-empty")
  await sought.fill("nobody@example.com")
  await page.getByText("No account has this number or address.").waitFor()
  await sought.fill(member.email)
  await page.getByText("Not held").waitFor()
  await page.getByRole("row").filter({ hasText: "Account created" }).waitFor()
})

test("a frozen member is out at once and stays out", async () => {
  await theirs.page.goto(`${product.url}/login?redirect=/me`)
  await logIn(theirs.page, product, member.account, member.password)
  await theirs.page.waitForURL(`${product.url}/me`)
  await theirs.page.goto(NOWHERE)
  await sought.fill(member.account)
  const freeze = page.getByRole("button", { name: "Freeze the account" })
  await freeze.click()
  await page.getByText("Say why: it is written down").waitFor()
  await reason.fill("A stranger has the phone")
  await freeze.click()
  await page.getByText("Frozen by the house").waitFor()
  await phone.shotOfAll("operator-members-frozen")
  await page.setViewportSize(PHONE)
  await phone.shotOfAll("operator-members-frozen-phone")
  await page.setViewportSize(DESK)
  await comeBackEnded(theirs.page, `${product.url}/me`)
  await logIn(theirs.page, product, member.account, member.password)
  await theirs.page.getByText("This account is frozen.").first().waitFor()
})

test("opened, the account lets its member in, and holds withdrawals", async () => {
  await reason.fill("It is them: they came with their papers")
  await page.getByRole("button", { name: "Open the account" }).click()
  await page.getByRole("button", { name: "Freeze the account" }).waitFor()
  await theirs.page.goto(`${product.url}/login?redirect=/me1`)
  await logIn(theirs.page, product, member.account, member.password)
  await theirs.page.getByText(/^Withdrawals are on hold until/).waitFor()
  await theirs.page.goto(`${product.url}/me1?view=log`)
  await theirs.page.getByText("Account opened by customer service").waitFor()
  await theirs.context.close()
})
