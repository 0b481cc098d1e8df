/** What stands before the product: faults of an application, slides, a forgotten password, an account frozen by mail. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { layoutFaults } from "./support/layout.ts"
import {
  logIn,
  newMember,
  slide,
  soon,
  tokenOf,
  typeCaptcha,
  typeMailedCode,
  untilEnded,
} from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const NEW = "another9mountain"
// A product of its own: whoever registers was sent a code just now, and the next one waits a minute; here the demo
// account that other files log in with may get a new password.
const { product, browser, phone, page } = await useProduct({ own: {}, moves: true })
const member = { account: "10000002", password: "demo1234" }
const email = "10000002@demo.kalos.example"
const applicant = "an.thi.le@example.com"
product.hide(NEW)

/** The member's session, before the password is another one. */
let before = ""

const button = (name: string) => page.getByRole("button", { name, exact: true })
/** Where the screen itself says it; a toast besides says it over the page. */
const said = (text: string) => page.getByRole("main").getByText(text)
const field = (name: string) => page.getByLabel(name, { exact: true })
const mails = async (): Promise<{ subject: string; text: string; code: string | null }[]> =>
  (await product.call("/api/demo/inbox", { email })).list

const toldAt = async (label: string, text: string): Promise<void> => {
  const wrong = page.locator('[aria-invalid="true"]').and(field(label))
  await wrong.waitFor()
  await page.getByRole("main").getByText(text, { exact: true }).waitFor()
  assert.ok(await wrong.evaluate((input) => input === document.activeElement), label)
}

test("an application is told each fault at its field, one after the other, and keeps the rest", async () => {
  await page.goto(`${product.url}/register`)
  const hint = (await page.getByText(/In this demo \w+ works/).textContent()) ?? ""
  const shown = /demo (\w+) works/.exec(hint)?.[1] ?? ""
  await field("Invitation code").fill("NOBODY")
  await field("E-mail").fill(applicant)
  await field("Code in the picture").fill("?")
  // Begun before the press: a toast doesn't stay.
  await Promise.all([
    said("The picture's code is wrong").waitFor(),
    page.waitForFunction(() =>
      [...document.querySelectorAll('[aria-hidden="true"]')].some((toast) =>
        toast.textContent?.includes("The picture's code is wrong"),
      ),
    ),
    button("Send code").click(),
  ])
  await typeCaptcha(page, product)
  await button("Send code").click()
  const code = await soon(
    async () => (await product.call("/api/demo/inbox", { email: applicant })).list[0]?.code,
  )
  await field("Code from the e-mail").fill(String((Number(code) + 1) % 1_000_000).padStart(6, "0"))
  await field("Password").fill("password1")
  await button("Create account").click()
  await page.getByText("Please read the terms and agree to them").waitFor()
  await page.getByText("I have read the").click({ position: { x: 5, y: 5 } })
  await button("Create account").click()
  await toldAt("Password", "This password is too common")
  await field("Password").fill(NEW)
  await button("Create account").click()
  await toldAt("Invitation code", "This invitation code is not valid")
  await field("Invitation code").fill(shown)
  await button("Create account").click()
  await toldAt("Code from the e-mail", "The code is wrong")
  await phone.shot("register-refused-dark")
  assert.equal(await field("E-mail").inputValue(), applicant)
  await field("Code from the e-mail").fill(code)
  await button("Create account").click()
  await page.waitForURL(/\/home$/)
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
})

test("who has an account already learns it from the mail's code alone, and the account stays as it was", async () => {
  const known = await newMember(product)
  await page.goto(`${product.url}/register`)
  await field("Invitation code").fill("KALOS1")
  await field("E-mail").fill(known.email)
  await typeCaptcha(page, product)
  await field("Password").fill(NEW)
  await page.getByText("I have read the").click({ position: { x: 5, y: 5 } })
  await typeMailedCode(page, product, known.email)
  await button("Create account").click()
  await toldAt("E-mail", "This is in use already Log in")
  await phone.shot("register-known-dark")
  await page.getByText("This is in use already").getByRole("link", { name: "Log in" }).click()
  await page.waitForURL(`${product.url}/login`)
  assert.equal(await field("Account or e-mail").inputValue(), known.email)
  await logIn(page, product, known.email, known.password)
  await page.waitForURL(/\/home$/)
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
})

test("after two failures a slide is asked for, and the picture that was read stays good", async () => {
  await page.goto(`${product.url}/login`)
  for (let time = 0; time < 2; time++) {
    const used = await page.locator("img[data-captcha]").getAttribute("data-captcha")
    await logIn(page, product, member.account, "wrong5password")
    await said("Account or password is wrong").waitFor()
    await page.locator(`img[data-captcha]:not([data-captcha="${used}"])`).waitFor()
  }
  await logIn(page, product, member.account, member.password)
  await page.getByRole("slider", { name: "Place of the piece" }).waitFor()
  await phone.shot("login-slide-dark")
  await slide(page, product, "drag")
  await page.waitForURL(/\/home$/)
  before = await tokenOf(page, product)
})

test("a slide that took too long says so, and another picture serves", async () => {
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
  await page.goto(`${product.url}/login`)
  await page.getByRole("link", { name: "Forgotten password" }).click()
  await field("E-mail").fill("nobody.here@example.com")
  await button("Send code").click()
  const sheet = page.getByRole("dialog", { name: "Slide verification" })
  const id = (await sheet.locator("[data-slide]").getAttribute("data-slide")) ?? ""
  await product.expireSlide(id)
  await sheet.getByRole("slider", { name: "Place of the piece" }).focus()
  for (let step = 0; step < 9; step++) await page.keyboard.press("ArrowRight", { delay: 50 })
  await page.keyboard.press("Enter")
  await sheet.getByText("That took too long. Please try another one.").waitFor()
  await sheet.locator(`[data-slide]:not([data-slide="${id}"])`).waitFor()
  await phone.shot("slide-expired-dark")
  await slide(page, product, "drag")
  await page.getByRole("button", { name: /^Send again in/ }).waitFor()
  // Only the address that got a code a moment ago has to wait for another one.
  await field("E-mail").fill("nobody.else@example.com")
  await button("Send code").and(page.locator(":enabled")).waitFor()
})

test("a piece that is left beside its hole is told, another picture can be asked for, and the buttons do", async () => {
  await page.goto(`${product.url}/login`)
  await page.getByRole("link", { name: "Forgotten password" }).click()
  await field("E-mail").fill("nobody.there@example.com")
  await button("Send code").click()
  const sheet = page.getByRole("dialog", { name: "Slide verification" })
  const shown = async () => (await sheet.locator("[data-slide]").getAttribute("data-slide")) ?? ""
  const missed = await shown()
  await sheet.getByRole("button", { name: "A little to the right" }).click()
  await button("Check").click()
  await sheet.getByText("Not quite. Please try another one.").waitFor()
  await sheet.locator(`[data-slide]:not([data-slide="${missed}"])`).waitFor()
  const second = await shown()
  await button("Another picture").click()
  await sheet.locator(`[data-slide]:not([data-slide="${second}"])`).waitFor()
  assert.equal(await sheet.getByText("Not quite.").count(), 0)
  await slide(page, product, "buttons")
  await page.getByRole("button", { name: /^Send again in/ }).waitFor()
})

test("a forgotten password is set anew: one slide with the keys, one dragged, and a code between them", async () => {
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
  await untilEnded(product, before)
  await logIn(page, product, email, NEW)
  await page.waitForURL(/\/home$/)
})

test("a mail's link freezes the account, and log-in then leads to a new password", async () => {
  const link = await soon(async () =>
    (await mails()).map(({ text }) => /\S+\?freeze=\S+/.exec(text)?.[0]).find(Boolean),
  )
  const { search } = new URL(link)
  product.hide(new URLSearchParams(search).get("freeze") ?? "")
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

test("the address that a code was sent to can be read whole, however long it is and narrow the phone", async () => {
  const other = await Phone.open(browser)
  const longest = `${"l".repeat(64)}@${`${"d".repeat(59)}.`.repeat(3)}d.example`
  for (const address of [`${"an.thi.le.".repeat(4)}x@mail.firm.example`, longest]) {
    await other.page.goto(`${product.url}/register`)
    await other.page.getByLabel("E-mail", { exact: true }).fill(address)
    await typeCaptcha(other.page, product)
    await other.page.getByRole("button", { name: "Send code", exact: true }).click()
    const told = other.page.getByText(`Sent to ${address}`, { exact: true })
    await told.waitFor()
    for (const width of [390, 320]) {
      await other.page.setViewportSize({ width, height: 844 })
      assert.deepEqual(await other.page.evaluate(layoutFaults, width), [], `${width} ${address.length}`)
      const { left, right } = await told.evaluate((node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return range.getBoundingClientRect().toJSON()
      })
      assert.ok(left >= 0 && right <= width, `${left} ${right} of ${width}`)
      await other.shot(`register-address-${address.length}-${width}`)
    }
  }
  await other.context.close()
})
