/** Passwords for money and codes from an app: set, changed, bound, used to log in, and taken away. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { readQrAt, readShownQr } from "./lab/qr.ts"
import { AuthenticatorApp } from "./support/AuthenticatorApp.ts"
import { Phone } from "./support/browser.ts"
import { logIn, newMember, nextCode, slide, tokenOf } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const FIRST = "246810"
const SECOND = "135791"
const THIRD = "864209"
const NEW = "lantern4street"
const HOUR_MS = 3_600_000

const { product, browser, phone, page } = await useProduct()
const member = await newMember(product)
for (const secret of [FIRST, SECOND, THIRD, NEW]) product.hide(secret)

const button = (name: string) => page.getByRole("button", { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const heading = (name: string) => page.getByRole("heading", { name, exact: true })
const info = () => product.call("/api/user/info", {}, member.token)

/** Open a part of the centre as if the wait after the last mail were over, for the page too. */
async function open(view: string): Promise<void> {
  await page.evaluate(() => sessionStorage.removeItem("kalos.sent.factor"))
  await product.endCodeGap(member.email)
  await page.goto(`${product.url}/me1?view=${view}`)
}

async function typeMailedCode(): Promise<void> {
  const code = await nextCode(product, member.email, () => button("Send code").click())
  await field("Code from the e-mail").fill(code)
}

/** Log out by the button that a member has for it. */
async function leave(): Promise<void> {
  await page.goto(`${product.url}/me3`)
  await button("Log out").click()
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click()
  await page.waitForURL(/\/login/)
}

async function logInTo(view: string, password: string): Promise<void> {
  await page.goto(`${product.url}/login?redirect=/me1?view=${view}`)
  await logIn(page, product, member.account, password)
}

test("a first withdrawal password takes the log-in's and a mailed code, and holds nothing", async () => {
  await logInTo("withdraw", member.password)
  await field("Log-in password").fill("wrong5password")
  await field("New withdrawal password").fill(FIRST)
  await field("New withdrawal password once more").fill(FIRST)
  await typeMailedCode()
  await phone.shotOfAll("withdraw-first-dark")
  await button("Set the withdrawal password").click()
  await slide(page, product, "keys")
  await page.getByText("This isn't your log-in password").waitFor()
  await field("Log-in password").fill(member.password)
  await button("Set the withdrawal password").click()
  await slide(page, product, "keys")
  await heading("Withdrawal password set").waitFor()
  const { out_password_set, withdrawals_held_until } = await info()
  assert.deepEqual([out_password_set, withdrawals_held_until], [true, null])
})

test("another one takes the old one and a mailed code, says beforehand what it holds, and holds it", async () => {
  await open("withdraw")
  await page.getByText("this holds withdrawals for 24 hours").waitFor()
  await field("Present withdrawal password").fill(FIRST)
  await field("New withdrawal password").fill(SECOND)
  await field("New withdrawal password once more").fill(SECOND)
  await typeMailedCode()
  await phone.shotOfAll("withdraw-change-dark")
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await heading("New withdrawal password set").waitFor()
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  await phone.shot("withdraw-done-dark")
  const { withdrawals_held_until } = await info()
  assert.ok((withdrawals_held_until ?? 0) > Date.now() + 23 * HOUR_MS)
})

test("a secret that nobody bound in ten minutes is void, and the page offers another", async () => {
  const alone = await Phone.open(browser)
  await alone.page.clock.install()
  await alone.page.addInitScript((value) => localStorage.setItem("kalos.token", value), member.token)
  await alone.page.goto(`${product.url}/me1?view=google`)
  await alone.page.getByRole("button", { name: "Set it up", exact: true }).click()
  const shown = alone.page.locator("[data-secret]")
  const secret = await shown.getAttribute("data-secret")
  await alone.page.clock.fastForward("09:50")
  assert.equal(await shown.getAttribute("data-secret"), secret)
  await alone.page.clock.fastForward("00:11")
  await alone.page.getByText("The secret has expired: one is good for ten minutes.").waitFor()
  assert.equal(await alone.page.getByRole("button", { name: "Bind the authenticator" }).count(), 0)
  await alone.shot("google-expired-dark")
  await alone.page.getByRole("button", { name: "Show a new secret", exact: true }).click()
  assert.notEqual(await shown.getAttribute("data-secret"), secret)
  assert.equal((await info()).google_bound, false)
  await alone.context.close()
})

test("the picture of a secret that the server draws says what its link says", async () => {
  const { secret, otpauth, qr } = await product.call("/api/user/google", {}, (await newMember(product)).token)
  product.hide(secret)
  assert.equal(await readQrAt(page, qr), otpauth)
  assert.equal(new URL(otpauth).searchParams.get("secret"), secret)
})

let app: AuthenticatorApp
let recovery: string
let spare: string

test("an authenticator is bound, and the page stays until its recovery codes are kept", async () => {
  await open("")
  await page.getByRole("link", { name: /^Authenticator/ }).click()
  await button("Set it up").click()
  const secret = (await page.locator("[data-secret]").getAttribute("data-secret")) ?? ""
  product.hide(secret)
  const shown = new URL((await readShownQr(page, "QR code for the authenticator")) ?? "")
  assert.equal(shown.protocol + shown.searchParams.get("secret"), `otpauth:${secret}`)
  app = new AuthenticatorApp(secret)
  await field("Log-in password").fill(member.password)
  await typeMailedCode()
  await phone.shotOfAll("google-bind-dark")
  await field("Code from the authenticator").fill(await app.code())
  await button("Bind the authenticator").click()
  await slide(page, product, "keys")
  const codes = page.locator("[data-recovery]")
  await codes.nth(9).waitFor()
  recovery = (await codes.first().textContent()) ?? ""
  spare = (await codes.last().textContent()) ?? ""
  for (const code of await codes.allTextContents()) product.hide(code)
  await page.goBack()
  await page.locator("main").getByText("Keep the codes first: they are shown only this once.").waitFor()
  assert.equal(await codes.count(), 10)
  await phone.shotOfAll("google-codes-dark")
  await page.getByText("I have kept the codes").click()
  await page.getByRole("link", { name: "Back to the security centre" }).click()
  await heading("3 of 4 checks done").waitFor()
  await phone.shotOfAll("security-bound-dark")
})

test("log-out leads to the door, and log-in then asks for the app's code", async () => {
  await leave()
  await logInTo("google", member.password)
  await field("Code of your authenticator").fill(await app.code())
  await button("Log in").click()
  await page.getByText("Your authenticator is bound.").waitFor()
  await tokenOf(page, product)
})

test("a forgotten password takes the app's code, ends the session, and a recovery code logs in after it", async () => {
  const before = await tokenOf(page, product)
  await leave()
  await page.getByRole("link", { name: "Forgotten password" }).click()
  await field("E-mail").fill(member.email)
  const code = await nextCode(product, member.email, async () => {
    await button("Send code").click()
    await slide(page, product, "keys")
  })
  await field("Code from the e-mail").fill(code)
  await field("New password").fill(NEW)
  await field("New password once more").fill(NEW)
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await field("Code of your authenticator").fill(await app.code())
  await button("Set the new password").click()
  await page.waitForURL(/\/login$/)
  await assert.rejects(product.call("/api/user/info", {}, before), /406/)
  await logInTo("", NEW)
  await field("Code of your authenticator").fill(spare)
  await button("Log in").click()
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  await phone.shotOfAll("security-held-dark")
  member.token = await tokenOf(page, product)
  assert.ok(((await info()).withdrawals_held_until ?? 0) > Date.now() + 23 * HOUR_MS)
})

test("a forgotten withdrawal password takes both codes for another one, and holds withdrawals", async () => {
  await open("withdraw")
  await button("Forgotten it?").click()
  await page.getByText("We can't tell you the old one: nobody here knows it.").waitFor()
  assert.equal(await field("Present withdrawal password").count(), 0)
  await field("New withdrawal password").fill(THIRD)
  await field("New withdrawal password once more").fill(THIRD)
  await typeMailedCode()
  await phone.shotOfAll("withdraw-forgotten-dark")
  const before = (await info()).withdrawals_held_until ?? 0
  const code = await app.code()
  await field("Code from the authenticator").fill(code === "000000" ? "000001" : "000000")
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await page.getByText("One of the two codes is wrong").first().waitFor()
  assert.equal((await info()).withdrawals_held_until, before)
  await field("Code from the authenticator").fill(code)
  await button("Set the new password").click()
  await slide(page, product, "keys")
  await heading("New withdrawal password set").waitFor()
  assert.ok(((await info()).withdrawals_held_until ?? 0) > before)
})

test("a recovery code takes it away, and /me1 says until when that holds withdrawals", async () => {
  await open("google")
  await button("Unbind it").click()
  await page.getByText("this holds withdrawals for 24 hours").waitFor()
  await field("Log-in password").fill(NEW)
  await typeMailedCode()
  await field("Code from the authenticator").fill(recovery.toLowerCase())
  await phone.shotOfAll("google-unbind-dark")
  const before = (await info()).withdrawals_held_until ?? 0
  await button("Unbind the authenticator").click()
  await slide(page, product, "keys")
  await heading("Authenticator unbound").waitFor()
  await page.getByRole("link", { name: "Back to the security centre" }).click()
  await page.getByText(/^Withdrawals are on hold until/).waitFor()
  await heading("2 of 4 checks done").waitFor()
  const { google_bound, withdrawals_held_until } = await info()
  assert.deepEqual([google_bound, (withdrawals_held_until ?? 0) > before], [false, true])
})
