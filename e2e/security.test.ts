/** The security centre: a word for mails, a session that is ended from the list, and the log that tells of both. */
import { test } from "node:test"
import { logIn, newMember, untilEnded } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const { product, phone, page } = await useProduct()
const member = await newMember(product)

test("the centre says what is set and what isn't", async () => {
  await page.goto(`${product.url}/login?redirect=/me1`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("heading", { name: "1 of 4 checks done" }).waitFor()
  await phone.shot("security-dark")
  await page.getByRole("link", { name: /^Withdrawal addresses/ }).click()
  await page.waitForURL(`${product.url}/address3`)
  await page.goto(`${product.url}/me1`)
})

test("a chosen word stands in the centre", async () => {
  await page.getByRole("link", { name: /^Anti-phishing word/ }).click()
  await page.getByLabel("Your word", { exact: true }).fill("lighthouse")
  await phone.shot("security-word-dark")
  await page.getByRole("button", { name: "Save the word" }).click()
  await page.getByRole("button", { name: "Remove the word" }).waitFor()
  await page.goto(`${product.url}/me1`)
  await page.getByRole("heading", { name: "2 of 4 checks done" }).waitFor()
  await page.getByText("lighthouse").waitFor()
})

test("another session is ended from the list and logged", async () => {
  await page.getByRole("link", { name: /^Sessions/ }).click()
  await page.getByText("This device").waitFor()
  await phone.shot("security-sessions-dark")
  await page.getByRole("button", { name: "End all other sessions" }).click()
  // Begun before the press: a toast doesn't stay.
  await Promise.all([
    page.getByText("All other sessions have ended").first().waitFor(),
    page.getByRole("dialog").getByRole("button", { name: "End all other sessions" }).click(),
  ])
  await untilEnded(product, member.token)
  await page.goto(`${product.url}/me1?view=log`)
  await page.getByText("Session ended").waitFor()
  await page.getByText("Anti-phishing word changed").waitFor()
  await phone.shot("security-log-dark")
})
