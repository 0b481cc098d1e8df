/** What the house tells its members: from the line on /home to the text, its links, and what an operator does. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { logIn, newMember } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const PINNED = "This is a demo: its coins have no value"
const OUTSIDE = "https://example.com/report?year=2026"
const BY_HAND = `
name = "by-hand"
kind = "notice"
from = 2020-01-01T00:00:00Z
[texts.en]
title = "Written by hand"
text = "Read [the report](${OUTSIDE}) or [how to top up](/node3?tab=records)."
`

const { product, phone, page } = await useProduct()
const member = await newMember(product)

const unread = () => page.getByText("Unread", { exact: true }).count()
const title = (text: string) => page.getByRole("heading", { level: 2, name: text })

test("the start page shows what wasn't read, and a banner with its picture", async () => {
  await page.goto(`${product.url}/login?redirect=/home`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("link", { name: PINNED }).waitFor()
  const banner = page.getByRole("link", { name: "Don't believe us. Recompute it." })
  const width = await banner.locator("img").evaluate(async (image: HTMLImageElement) => {
    image.scrollIntoView()
    await image.decode()
    return image.naturalWidth
  })
  assert.equal(width, 1200)
  await phone.shot("content-home")
  await banner.click()
  await page.waitForURL(`${product.url}/bulletin?tab=news`)
})

test("a bulletin is read, the next one follows, and Back finds it marked", async () => {
  await page.goto(`${product.url}/home`)
  await page.getByRole("link", { name: "Bulletins" }).click()
  const rows = page.getByRole("main").getByRole("listitem")
  await rows.first().getByText("Pinned").waitFor()
  assert.equal(await rows.count(), 4)
  await phone.shot("content-list")
  await rows.first().click()
  await title(PINNED).waitFor()
  assert.match(page.url(), /\/bulletin-detail\?id=\d+$/)
  await page.getByRole("listitem").getByText("How a result is proven").click()
  await title("How a result is proven").waitFor()
  await phone.shot("content-detail")
  await page.goBack()
  await title(PINNED).waitFor()
  await page.goBack()
  await rows.first().waitFor()
  assert.equal(await rows.getByText("Unread").count(), 2)
})

test("all are marked as read at once, tab by tab, and stay so", async () => {
  await page.getByRole("button", { name: "Mark all read" }).click()
  assert.equal(await unread(), 1) // the other tab's
  await page.getByText(/^News/).click()
  await page.waitForURL(/tab=news$/)
  await page.getByText("Check a round yourself, in one minute").waitFor()
  await page.getByRole("button", { name: "Mark all read" }).click()
  assert.equal(await unread(), 0)
  await page.goto(`${product.url}/home`)
  await page.getByRole("link", { name: PINNED }).waitFor()
  assert.equal(await unread(), 0)
})

test("links inside stay inside, links to elsewhere ask first, and what is retracted is gone", async () => {
  const file = await product.keep("by-hand.toml", BY_HAND)
  const published = await product.command("bulletins", "publish", file)
  assert.equal(published.code, 0, published.said)
  await page.goto(`${product.url}/bulletin`)
  await page.getByText("Written by hand").click()
  await title("Written by hand").waitFor()
  const address = page.url()
  await page.getByRole("button", { name: "the report" }).click()
  const sheet = page.getByRole("dialog", { name: "You leave Kalos" })
  await sheet.locator(`[data-leave="${OUTSIDE}"]`).waitFor()
  await phone.shot("content-leaving")
  const away = sheet.getByRole("link", { name: "Open example.com" })
  assert.deepEqual(
    [await away.getAttribute("href"), await away.getAttribute("rel"), await away.getAttribute("target")],
    [OUTSIDE, "noreferrer", "_blank"],
  )
  await page.keyboard.press("Escape")
  await sheet.waitFor({ state: "detached" })
  assert.equal(page.url(), address)
  await page.getByRole("link", { name: "how to top up" }).click()
  await page.waitForURL(`${product.url}/node3?tab=records`)
  assert.equal((await product.command("bulletins", "retract", "by-hand")).code, 0)
  for (const path of [
    new URL(address).pathname + new URL(address).search,
    "/bulletin-detail?id=x",
    "/bulletin-detail",
  ]) {
    await page.goto(product.url + path)
    await page.getByText("This bulletin isn't there, or no longer.").waitFor()
  }
  await page.getByRole("link", { name: "All bulletins" }).click()
  await page.waitForURL(`${product.url}/bulletin`)
})
