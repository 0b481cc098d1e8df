/** Inviting: the poster with its code, read back as a phone reads it; who came, and what the team turns over. */
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import type { Locator, Page } from "playwright-core"
import { readQr } from "./lab/qr.ts"
import { Phone } from "./support/browser.ts"
import { keptRecords } from "./support/kept.ts"
import { logIn, type Member, newMember, soon, untilThereIsTime } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const SHOWN = { width: 540, height: 720 }
const SCENE = "odd_even-60"
const BETTING_MS = 10_000

const { product, browser, phone, page } = await useProduct()
const member = await newMember(product)
const { invite_code, invite_link } = await product.call("/api/user/info", {}, member.token)
const invited = await newMember(product, undefined, invite_code)
const far = await invitedBy(invited)
// It counts once the round is drawn: until then the other tests run.
const staked = stake(far)
staked.catch(() => undefined) // whoever awaits it is told

async function invitedBy({ token }: Member): Promise<Member> {
  return await newMember(product, "100", (await product.call("/api/user/info", {}, token)).invite_code)
}

async function stake({ token }: Member): Promise<void> {
  await untilThereIsTime(page, BETTING_MS)
  const { round } = await product.call("/api/game/scene", { scene_id: SCENE }, token)
  const bet = { scene_id: SCENE, round: round ?? "", option: "odd", amount: "5", balance_type: "USDT" }
  await product.call("/api/game/beton", { ...bet, request_id: randomUUID() }, token)
}

/** Log in to see the posters, however they are called there. */
async function openInvitation(on: Page, language = "en"): Promise<void> {
  await on.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await on.goto(`${product.url}/login`)
  await on.evaluate(
    ([token, settings]) => {
      localStorage.setItem("kalos.token", token)
      localStorage.setItem("kalos.settings", settings)
    },
    [member.token, JSON.stringify({ language })] as const,
  )
  await on.goto(`${product.url}/invite`)
}

async function postersOf(on: Page): Promise<Locator[]> {
  const posters = on.locator("img[data-design]")
  await posters.nth(2).waitFor()
  return await posters.all()
}

/** What a phone reads when it is held before the poster. */
async function linkOn(poster: Locator): Promise<string | null> {
  const pixels = await poster.evaluate(async (image: HTMLImageElement, { width, height }) => {
    await image.decode()
    const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d")
    if (!pen) throw new Error("no canvas")
    pen.drawImage(image, 0, 0, width, height)
    const { data } = pen.getImageData(0, 0, width, height)
    const parts = Array.from({ length: height }, (_, row) =>
      String.fromCharCode(...data.subarray(row * width * 4, (row + 1) * width * 4)),
    )
    return btoa(parts.join(""))
  }, SHOWN)
  return readQr(Buffer.from(pixels, "base64"), SHOWN.width, SHOWN.height)
}

const copied = (on: Page): Promise<string> => on.evaluate(() => navigator.clipboard.readText())
const press = (name: string, on = page): Promise<void> => on.getByRole("button", { name }).click()

test("each poster's QR code leads to registering with the member's code", async () => {
  await page.goto(`${product.url}/login?redirect=/invite`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("list", { name: "Posters" }).waitFor()
  const posters = await postersOf(page)
  assert.equal(posters.length, 3)
  for (const poster of posters) assert.equal(await linkOn(poster), invite_link)
  assert.equal(invite_link, `${product.url}/register?code=${invite_code}`)
  await phone.shot("invite")
})

test("a chosen poster is saved as it is shown", async () => {
  await page.getByText("Violet", { exact: true }).click()
  const [download] = await Promise.all([page.waitForEvent("download"), press("Save image")])
  assert.equal(download.suggestedFilename(), "kalos-iris.png")
})

test("code and link are copied as they are, and the link where the device shares no picture", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  for (const [name, text] of [
    ["Copy the invitation code", invite_code],
    ["Copy the invitation link", invite_link],
    ["Share", invite_link],
  ] as const) {
    await page.evaluate(() => navigator.clipboard.writeText("something else"))
    await press(name)
    await soon(async () => (await copied(page)) === text)
  }
})

test("a device that shares pictures is handed the chosen poster", async () => {
  await page.evaluate(() => {
    const shared: string[] = []
    const take = async ({ files }: ShareData) => {
      for (const { name, type, size } of files ?? []) shared.push(`${name} ${type} ${size > 10_000}`)
    }
    Object.assign(navigator, { shared, canShare: () => true, share: take })
  })
  await press("Share")
  const shared = await page.evaluate(() => (navigator as unknown as { shared: string[] }).shared)
  assert.deepEqual(shared, ["kalos-iris.png image/png true"])
})

test("a poster speaks the member's language", async () => {
  for (const [language, label, note] of [
    ["ja", "招待コード", "スキャンしてアカウントを作成"],
    ["th", "รหัสเชิญ", "สแกนเพื่อเปิดบัญชี"],
  ] as const) {
    const other = await Phone.open(browser)
    await other.context.addInitScript(() => {
      const drawn: string[] = []
      const fillText = CanvasRenderingContext2D.prototype.fillText
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        drawn.push(text)
        fillText.call(this, text, ...place)
      }
      Object.assign(window, { drawn })
    })
    await openInvitation(other.page, language)
    await other.page.getByText(label, { exact: true }).waitFor()
    for (const poster of await postersOf(other.page)) assert.equal(await linkOn(poster), invite_link)
    // A sentence is drawn line by line.
    const drawn = await other.page.evaluate(() => (window as unknown as { drawn: string[] }).drawn.join(""))
    for (const words of [label, note, invite_code]) assert.ok(drawn.includes(words), `${words}: ${drawn}`)
    await other.shot(`invite-${language}`)
    await other.context.close()
  }
})

test("without a network poster, code and link are there from what was kept", async () => {
  const other = await Phone.open(browser, { worker: true, away: true })
  await openInvitation(other.page)
  await postersOf(other.page)
  await other.page.evaluate(() => navigator.serviceWorker.ready)
  await other.page.reload()
  await postersOf(other.page)
  await soon(async () => (await keptRecords(other.page)) === 1)
  await other.context.setOffline(true)
  await other.page.reload()
  for (const poster of await postersOf(other.page)) assert.equal(await linkOn(poster), invite_link)
  await press("Copy the invitation link", other.page)
  await soon(async () => (await copied(other.page)) === invite_link)
  await other.context.close()
})

test("who came with the code stands in the team, with a sheet of their own", async () => {
  await soon(async () => (await product.call("/api/user/shareList", {}, member.token)).total === 1)
  await page.getByRole("link", { name: "My team" }).click()
  const row = page.getByRole("main").getByRole("listitem").getByText(invited.account)
  await row.click()
  await page.getByRole("dialog", { name: invited.account }).getByText("Joined").waitFor()
  await phone.shot("team-sheet")
  await page.goBack()
  await phone.shot("team")
})

test("a team is searched by account, and strangers aren't in it", async () => {
  await page.getByText("Team", { exact: true }).click()
  await page.getByLabel("Account in your team").fill("99999999")
  await page.getByText("Nobody in your team has this account.").waitFor()
  await page.getByLabel("Account in your team").fill("")
  await page.getByRole("main").getByRole("listitem").getByText("Turnover below them").waitFor()
})

test("what the team turns over is counted at the top; below the own line it is masked and a range", async () => {
  await staked
  const team = async () => (await product.call("/api/user/info", {}, member.token)).team_turnover
  await soon(async () => Number(await team()) === 5)
  await page.reload()
  const main = page.getByRole("main")
  await main.getByText("Invited me").waitFor()
  await main.getByText("Large zone").first().waitFor()
  const figures = main.getByRole("listitem").locator("dd")
  await figures.first().waitFor()
  assert.deepEqual(await figures.allInnerTexts(), ["0.00 USDT", "0.00 USDT", "5.00 USDT", "5.00 USDT"])
  await phone.shot("team-figures")
  await main.getByRole("listitem").getByText(invited.account).click()
  await press("Show whom they invited")
  const masked = main.getByRole("listitem").filter({ hasText: "Turnover below them" })
  await masked.getByText(/^\d{2}\*+\d{2}$/).waitFor()
  assert.equal(await main.getByText(far.account).count(), 0)
  await phone.shot("team-masked")
})
