/** Inviting: the poster with its code, read back as a phone reads it; who came, and what the team turns over. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { readQr } from "./lab/qr.ts"
import { logIn, newMember, soon } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const SHOWN = { width: 540, height: 720 }

const { product, phone, page } = await useProduct()
const member = await newMember(product)
const { invite_code, invite_link } = await product.call("/api/user/info", {}, member.token)

test("each poster's QR code leads to registering with the member's code", async () => {
  await page.goto(`${product.url}/login?redirect=/invite`)
  await logIn(page, product, member.account, member.password)
  const posters = page.getByRole("list", { name: "Posters" }).getByRole("img")
  await posters.nth(2).waitFor()
  assert.equal(await posters.count(), 3)
  for (const poster of await posters.all()) {
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
    assert.equal(readQr(Buffer.from(pixels, "base64"), SHOWN.width, SHOWN.height), invite_link)
  }
  assert.equal(invite_link, `${product.url}/register?code=${invite_code}`)
  await phone.shot("invite")
})

test("a chosen poster is saved as it is shown", async () => {
  await page.getByText("Violet", { exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save image" }).click(),
  ])
  assert.equal(download.suggestedFilename(), "kalos-iris.png")
})

test("who came with the code stands in the team, with a sheet of their own", async () => {
  const invited = await newMember(product, undefined, invite_code)
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
  await page.getByRole("main").getByRole("listitem").getByText("below them").waitFor()
})
