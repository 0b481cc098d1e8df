/** The console's form that issues KLS: what it takes, what it refuses, and what two people make of it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { errors, type Locator } from "playwright-core"
import { Phone } from "./support/browser.ts"
import { soon } from "./support/people.ts"
import { logInStaff, section } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const PRESS_MS = 1_000
const DESK = { width: 1280, height: 800 }
const WHY = "Members lack KLS for their fees"
const { product, browser, page } = await useProduct()

/** KLS in its smallest units, however the page groups it. */
const units = (text: string): bigint => {
  const [whole = "0", part = ""] = text.replaceAll(",", "").split(".")
  return BigInt(whole) * 100_000_000n + BigInt(part.padEnd(8, "0"))
}

test("KLS is issued by one person once another has signed it, within the cap and the reserves", async () => {
  await page.setViewportSize(DESK)
  await logInStaff(page, product, "operator")
  await section(page, "Commands")
  const sheet = page.getByRole("dialog")
  const amount = sheet.getByLabel("KLS to issue to the house's stock")
  const look = sheet.getByRole("button", { name: "See what it would do" })
  const back = sheet.getByRole("button", { name: "Back" })
  const overCap = sheet.getByText("Amount: more than the cap leaves")
  const uncovered = sheet.getByText("Amount: more than the reserves hold of it beyond what is owed")
  const begin = async () => {
    await page.getByRole("button", { name: "New command" }).click()
    await sheet.getByText("Issue of KLS", { exact: true }).click()
  }
  /** What a line of the preview says that there is, and what it becomes. */
  const change = async (name: RegExp): Promise<[bigint, bigint]> => {
    const line = sheet.locator("dl > div").filter({ hasText: name }).locator("dd")
    const [was, is] = [line.locator("span").first(), line.locator("strong")]
    return [units((await was.textContent()) ?? ""), units((await is.textContent()) ?? "")]
  }

  await begin()
  await amount.fill("a lot")
  await look.click()
  await sheet.getByText("Enter an amount such as 50000").waitFor()
  await amount.fill("100000001")
  await look.click()
  await overCap.waitFor()
  await back.click()
  assert.equal(await amount.inputValue(), "100000001")
  await amount.fill("250.5")
  // The reserves are looked at once a minute, and only what they held just now counts.
  const becomes = sheet.getByText("becomes").first()
  await soon(async () => {
    await look.click()
    await becomes.or(uncovered).waitFor()
    if (await becomes.isVisible()) return true
    await back.click()
    return false
  })
  const [[stock, more], [left, less]] = [await change(/kls.stock/i), await change(/left of the cap/i)]
  assert.deepEqual([more - stock, left - less], [25_050_000_000n, 25_050_000_000n])
  await sheet.getByLabel("Reason", { exact: true }).fill(WHY)
  await untilTaken(sheet, "Ask for the second signature")

  // All that the cap left is still within it: nothing was taken yet.
  const all = `${left / 100_000_000n}.${String(left % 100_000_000n).padStart(8, "0")}`
  await begin()
  await amount.fill(all)
  await look.click()
  await becomes.or(uncovered).waitFor()
  await page.keyboard.press("Escape")
  await sheet.waitFor({ state: "detached" })

  const second = await Phone.open(browser)
  await second.page.setViewportSize(DESK)
  await logInStaff(second.page, product, "reviewer")
  await section(second.page, "Commands")
  await second.page.getByRole("row").filter({ hasText: "issue of KLS" }).getByRole("button").click()
  const asked = second.page.getByRole("dialog", { name: /^Command \d+$/ })
  await asked.getByText(WHY).waitFor()
  await untilTaken(asked, "Sign it")
  await second.context.close()

  // What the first page was shown a moment ago isn't so any more, and the cap is looked at before the reserves.
  await begin()
  await amount.fill(all)
  await look.click()
  await overCap.waitFor()
  await page.keyboard.press("Escape")
  await page.reload()
  await section(page, "Audit log")
  const rows = page.getByRole("row").filter({ hasText: "issue of KLS" })
  await rows.filter({ hasText: "Command carried out" }).filter({ hasText: "reviewer" }).waitFor()
})

/** Press until the server takes it and the sheet goes. Asked for and signed, too, on a look of just now alone: between
 * two of them it is refused, and so may be what is then asked anew, which leaves another button in this one's place. */
async function untilTaken(sheet: Locator, name: string): Promise<void> {
  const way = sheet.getByRole("button", { name }).or(sheet.getByRole("button", { name: "Try again" }))
  await soon(async () => {
    await way.click({ timeout: PRESS_MS }).catch((problem) => {
      if (!(problem instanceof errors.TimeoutError)) throw problem
    })
    return (await sheet.count()) === 0
  })
}
