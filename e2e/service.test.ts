/** Customer service: a ticket with a picture, the house's answer, a reply, and the end. */
import { test } from "node:test"
import { logIn, newMember } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const { product, phone, page } = await useProduct()
const member = await newMember(product)
/** A pixel that is a picture. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

test("a question is sent with a picture, and stands in the list", async () => {
  await page.goto(`${product.url}/login?redirect=/me3`)
  await logIn(page, product, member.account, member.password)
  await page.getByRole("link", { name: "Customer service" }).click()
  await page.getByText("Nothing asked yet").waitFor()
  await phone.shot("service-empty-dark")
  await page.getByRole("link", { name: "Write to us" }).click()
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Write what happened").first().waitFor()
  await page.getByLabel("Subject", { exact: true }).fill("Top-up")
  await page.getByLabel("What happened, and what you expected").fill("Where is it?\nI sent 50 USDT.")
  const chosen = { name: "receipt.png", mimeType: "image/png", buffer: PICTURE }
  await page.getByLabel("Add a picture").setInputFiles(chosen)
  await page.getByText("Ready to send").waitFor()
  await phone.shot("service-new-dark")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Waiting for us").waitFor()
  await page.getByRole("link", { name: "Picture 1" }).waitFor()
})

test("the answer is counted until it is read, and can be replied to", async () => {
  const { list } = await product.call("/api/support/list", {}, member.token)
  const id = list[0]?.id ?? ""
  await product.command("support", "answer", id, "Its block comes soon.")
  await page.goto(`${product.url}/me3`)
  await page.getByRole("link", { name: "Customer service 1 new" }).click()
  await page.getByRole("link", { name: /^Top-up/ }).click()
  await page.getByText("Its block comes soon.").waitFor()
  await page.getByLabel("Your message").fill("Thank you")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("listitem").filter({ hasText: "Thank you" }).waitFor()
  await phone.shot("service-thread-dark")
  await product.command("support", "close", id)
  await page.reload()
  await page.getByText("This ticket is closed").waitFor()
  await page.goto(`${product.url}/me3`)
  await page.getByRole("link", { name: "Customer service", exact: true }).waitFor()
})
