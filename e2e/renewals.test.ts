/** Somebody of staff renews password and authenticator, and gets in with the new ones alone, also past a flood. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Phone } from "./support/browser.ts"
import { soon } from "./support/people.ts"
import { authenticator, knock } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const NAME = "renata"
const [OLD, NEW] = ["calm-harbour-lamp", "another-quiet-lamp"]
const DESK = { width: 1280, height: 800 }
const LOGIN = "/api/operator/login"

const { product, browser, phone, page } = await useProduct()
const oldCode = authenticator(await product.hire(NAME, "support", OLD))
let [newCode, lastOld] = [oldCode, ""]
const inside = page.getByRole("navigation", { name: "Sections" })
const panelOf = (name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name, exact: true }) })

test("a new password and a new authenticator count once they are confirmed", async () => {
  product.hide(NEW)
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await knock(page, NAME, OLD, await oldCode())
  await inside.waitFor()
  await page.getByRole("link", { name: /Your account/ }).click()

  const password = panelOf("Password")
  const chosen = password.getByLabel("New password", { exact: true })
  await chosen.fill(NEW)
  await password.getByLabel("New password once more", { exact: true }).fill(NEW)
  await password.getByLabel("Present password", { exact: true }).fill(OLD)
  await password.getByLabel("Authenticator code", { exact: true }).fill(await oldCode())
  await password.getByRole("button", { name: "Change the password" }).click()
  await soon(async () => (await chosen.inputValue()) === "")

  const panel = panelOf("Authenticator")
  lastOld = await oldCode()
  await panel.getByLabel("Present password", { exact: true }).fill(NEW)
  await panel.getByLabel("Authenticator code", { exact: true }).fill(lastOld)
  await panel.getByRole("button", { name: "Show a new secret" }).click()
  await panel.getByRole("img").waitFor()
  const secret = (await panel.locator("code").textContent()) ?? ""
  product.hide(secret)
  newCode = authenticator(secret)
  await panel.getByLabel("First code of the new authenticator").fill(await newCode())
  await panel.getByRole("button", { name: "Use the new authenticator" }).click()
  await panel.getByRole("button", { name: "Show a new secret" }).waitFor()
})

test("the old ones open the door no more, the new ones do", async () => {
  await page.getByRole("button", { name: "Log out" }).click()
  const refused = page.getByRole("alert")
  const code = await newCode()
  for (const [password, shown] of [
    [OLD, code],
    [NEW, lastOld],
  ] as const) {
    await knock(page, NAME, password, shown)
    await refused.waitFor()
    assert.equal(await inside.count(), 0)
  }
  await knock(page, NAME, NEW, code)
  await inside.waitFor()
})

test("a stranger who tries a name too often locks out other browsers, and not the person's own", async () => {
  const wrong = { name: NAME, password: "not-this-one", code: "000000" }
  const answers: string[] = []
  for (let tries = 0; tries < 7; tries++)
    answers.push(
      await product.call(LOGIN, wrong).then(
        () => "in",
        ({ message }) => message.split(" ")[1],
      ),
    )
  assert.deepEqual(answers, [...Array(5).fill("401"), "429", "429"])
  const code = await newCode()
  const stranger = await Phone.open(browser)
  await stranger.page.setViewportSize(DESK)
  await stranger.page.goto(`${product.url}/operator`)
  await knock(stranger.page, NAME, NEW, code)
  await stranger.page.getByRole("alert").waitFor()
  await stranger.shot("operator-too-many")
  await stranger.context.close()

  await page.getByRole("button", { name: "Log out" }).click()
  await knock(page, NAME, NEW, code)
  await inside.waitFor()
  await phone.shot("operator-own-browser")
})
