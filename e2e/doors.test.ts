/** A page before two API processes of one house: its calls go to either, a reload to both anew, and one of them dies. */
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { Pair } from "./support/pair.ts"
import { logIn, newMember, soon, tokenOf, untilThereIsTime } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const ROOM = "/game1?game=odd_even&scene=odd_even-60"
const BETTING_MS = 30_000
/** What one screen asks for at least. */
const CALLS = 2

const pair = await Pair.listen()
after(() => pair.end())
// A product of its own: the house must know the address that stands before both.
const { product, page } = await useProduct({ own: { PUBLIC_URL: pair.url }, away: true })
await pair.begin(product)
const member = await newMember(product, "100")
const button = (name: string | RegExp) => page.getByRole("button", { name })
const tab = (name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true })

/** How many channels the page has opened; seen before both processes, as a page that is left drops its answers. */
const opened = () => pair.answered.filter(({ path }) => path === "/api/wire/open").length

test("who logs in and bets has one channel, and both processes answer in it", async () => {
  await page.goto(`${pair.url}/login?redirect=${encodeURIComponent(ROOM)}`)
  await logIn(page, product, member.account, member.password)
  await page.getByText("Result block").waitFor()
  await untilThereIsTime(page, BETTING_MS)
  await page.getByRole("radio", { name: /^Odd/ }).check({ force: true })
  await page.getByLabel("Stake", { exact: true }).fill("10")
  await page.getByLabel("Stake", { exact: true }).blur()
  await button("Bet 10 USDT on odd").click()
  await button(/^Confirm/).press("Enter")
  await button(/^Confirm/).waitFor({ state: "detached" })
  const [one = 0, other = 0] = pair.ports.map(
    (own) => pair.answered.filter(({ port }) => port === own).length,
  )
  assert.ok(one > CALLS && other > CALLS, `${one} and ${other} calls`)
  assert.equal(opened(), 1)
})

test("a page that is loaded anew opens another channel: the keys of before are gone", async () => {
  await page.goto(`${pair.url}/node`)
  // What it shows first it has kept: that needs no channel.
  await soon(async () => opened() > 1)
  await page.waitForLoadState("networkidle")
  assert.equal(opened(), 2)
})

test("when one process is killed, the page goes on in its channel, up to the end of its session", async () => {
  // What was asked already may be lost with who was asked: here nothing is under way.
  await page.waitForLoadState("networkidle")
  await pair.kill()
  const before = pair.answered.length
  await tab("Home").click()
  await page.getByText("Bet placed").first().waitFor()
  // What stands there may be from before; what the page asks anew is answered by the one that is left.
  const since = await soon(async () => {
    const some = pair.answered.slice(before)
    return some.length > 0 ? some : null
  })
  assert.ok(since.every(({ port }) => port === pair.ports[0]))
  const token = await tokenOf(page, product)
  await tab("Me").click()
  await page.getByText("Language, theme, privacy").click()
  await button("Log out").click()
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click()
  await page.waitForURL(/\/login/)
  // A page that isn't answered leaves before the server knows.
  const refused = () => product.call("/api/finance/userFinance", {}, token).then(() => "", String)
  await soon(async () => /406/.test(await refused()))
  assert.equal(opened(), 2)
})
