/** A token that the house doesn't know comes to a member: support sees it, and writes down what became of it. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { withChecksum } from "../web/src/lib/addresses.ts"
import { newMember, soon } from "./support/people.ts"
import { ROOT } from "./support/product.ts"
import { authenticator, knock, section } from "./support/staff.ts"
import { useProduct } from "./support/useProduct.ts"

const NAME = "stella"
const PASSWORD = "quiet-harbour-bell"
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const DEEP = 16
const ARTEFACT = "server/src/kalos/adapters/chain/token.json"

// A product of its own: where blocks come fast, open rounds close before their time.
const { product, phone, page } = await useProduct({ own: {} })
const code = authenticator(await product.hire(NAME, "support", PASSWORD))
const member = await newMember(product)
const { address } = await product.call("/api/recharge/index", {}, member.token)
const [treasury] = await product.askNode("eth_accounts")
const token = await newToken()
const waiting = page.getByRole("row").filter({ hasText: member.account })
const sheet = page.getByRole("dialog", { name: /^Token \d+$/ })
const reason = sheet.getByLabel("Reason", { exact: true })
const write = sheet.getByRole("button", { name: "Write it down" })

test("what came to a member's address is shown whole, and left there with a reason", async () => {
  for (const units of [7_000_000n, 25_000_000n]) await send(treasury, address, units)
  await product.call("/api/demo/mine", { blocks: DEEP })
  await page.setViewportSize(DESK)
  await page.goto(`${product.url}/operator`)
  await knock(page, NAME, PASSWORD, await code())
  await section(page, "Other tokens")
  await waiting.filter({ hasText: "7,000,000" }).getByRole("button").click()
  await sheet.getByText(token).waitFor()
  await write.click()
  await sheet.getByText("Say why: it is written down").waitFor()
  await reason.fill("Nobody asks for it")
  await phone.shot("operator-stray")
  await write.click()
  await sheet.waitFor({ state: "detached" })
  await soon(async () => (await waiting.count()) === 1)
  await page.getByText("Left there", { exact: true }).click()
  await waiting.filter({ hasText: "7,000,000" }).getByRole("button").click()
  await sheet.getByText("Nobody asks for it").waitFor()
  await page.keyboard.press("Escape")
})

test("one that was sent back names the transaction that did it, and no other counts", async () => {
  await page.getByText("To decide", { exact: true }).click()
  await waiting.filter({ hasText: "25,000,000" }).getByRole("button").click()
  await sheet.getByText("It was sent back", { exact: true }).click()
  const payment = sheet.getByLabel("Transaction that sent it back")
  await reason.fill("They sent another token by mistake")
  await write.click()
  await sheet.getByText("Its hash: 0x and 64 digits").waitFor()
  await payment.fill(`0x${"ab".repeat(32)}`)
  await write.click()
  await sheet.getByText(/isn't a final transaction that sent at least as much/).waitFor()
  await phone.shotOfAll("operator-stray-refused")
  await page.setViewportSize(PHONE)
  await phone.shotOfAll("operator-stray-phone")
  await page.setViewportSize(DESK)
  await product.askNode("anvil_impersonateAccount", address)
  await product.askNode("anvil_setBalance", address, `0x${(10n ** 18n).toString(16)}`)
  const hash = await send(address, treasury, 25_000_000n)
  const { head } = await product.call("/api/demo/mine", { blocks: DEEP })
  await soon(
    async () => ((await product.call("/api/lp/chain", {}, member.token)).list[0]?.height ?? 0) >= head.number,
  )
  await payment.fill(hash)
  await write.click()
  await sheet.waitFor({ state: "detached" })
  await page.getByText("Sent back", { exact: true }).click()
  await waiting.getByRole("button").click()
  await sheet.getByText(hash).waitFor()
})

function word(value: string): string {
  return value.padStart(64, "0")
}

/** A contract of its own, whose whole supply is the treasury's; gives its address. */
async function newToken(): Promise<string> {
  const { bytecode } = JSON.parse(await readFile(join(ROOT, ARTEFACT), "utf8"))
  const text = `${word("1")}${"X".charCodeAt(0).toString(16).padEnd(64, "0")}`
  const numbers = [5n * 32n, 7n * 32n, 6n, 10n ** 18n].map((number) => word(number.toString(16)))
  const words = [...numbers, word(treasury.slice(2).toLowerCase()), text, text]
  const data = `${bytecode}${words.join("")}`
  const hash = await product.askNode("eth_sendTransaction", {
    from: treasury,
    data,
    gas: "0x4c4b40",
  })
  await product.call("/api/demo/mine", { blocks: 1 })
  const { contractAddress } = await product.askNode("eth_getTransactionReceipt", hash)
  return withChecksum(contractAddress)
}

async function send(from: string, recipient: string, units: bigint): Promise<string> {
  const data = `0xa9059cbb${word(recipient.slice(2).toLowerCase())}${word(units.toString(16))}`
  return product.askNode("eth_sendTransaction", { from, to: token, data })
}
