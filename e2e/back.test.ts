/** Going back: from wherever a long list leads to, to the row that was pressed. */
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { newMember, untilThereIsTime } from "./support/people.ts"
import { openScreen } from "./support/screens.ts"
import { useProduct } from "./support/useProduct.ts"

const SCENE = "odd_even-60"
/** Until its draw nothing else comes to the history. */
const BETTING_MS = 50_000
/** More rows than two pages have. */
const BETS = 24
/** A member may make ten such calls a second. */
const APART_MS = 120
const PRESSED = 22
const NEAR = 2
const MOST_MS = 20_000

const { product, page } = await useProduct({ moves: true })

test("from the third page of a coin's history back is back to its row", async () => {
  const { token } = await newMember(product, "500")
  await page.addInitScript((value) => localStorage.setItem("kalos.token", value), token)
  await openScreen(page, `${product.url}/me3`)
  await untilThereIsTime(page, BETTING_MS)
  const { round } = await product.call("/api/game/scene", { scene_id: SCENE }, token)
  for (let number = 0; number < BETS; number++) {
    const bet = { scene_id: SCENE, round: round ?? "", option: "odd", amount: "5", balance_type: "USDT" }
    await product.call("/api/game/beton", { ...bet, request_id: randomUUID() }, token)
    await sleep(APART_MS)
  }
  await openScreen(page, `${product.url}/node1?coin=USDT`)
  const rows = page.getByRole("main").getByRole("listitem").getByRole("button")
  const row = rows.nth(PRESSED)
  for (const until = Date.now() + MOST_MS; (await rows.count()) <= PRESSED; await sleep(50)) {
    assert.ok(Date.now() < until, `${await rows.count()} rows`)
    await rows.last().scrollIntoViewIfNeeded()
  }
  await row.evaluate((button) => button.scrollIntoView({ block: "center" }))
  const place = async () => (await row.boundingBox())?.y ?? Number.NaN
  const [before, text] = [await place(), await row.textContent()]
  await row.click()
  await page.getByRole("dialog").getByRole("link", { name: "My bets" }).click()
  await page.waitForURL(/\/game1\?view=bets$/)
  await page
    .getByRole("button", { name: /USDT on odd/ })
    .first()
    .waitFor()
  await page.goBack()
  await page.waitForURL(/\/node1\?coin=USDT$/)
  await row.waitFor()
  for (const until = Date.now() + MOST_MS; Math.abs((await place()) - before) > NEAR; await sleep(50))
    assert.ok(Date.now() < until, `its row stood at ${before} and stands at ${await place()}`)
  assert.equal(await row.textContent(), text)
})
