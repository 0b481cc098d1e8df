/** What a person does on several journeys. */
import type { Page } from "playwright-core"
import type { Product } from "./product.ts"

/** Type what the picture says; the answer comes from demo mode's helper. */
export async function typeCaptcha(page: Page, product: Product): Promise<void> {
  const id = await page.locator("img[data-captcha]").getAttribute("data-captcha")
  const { code } = await product.demo("/api/demo/captcha", { captcha_id: id ?? "" })
  await page.getByLabel("Code in the picture", { exact: true }).fill(code)
}

/** The token of the page's session; empty where there is none. */
export async function tokenOf(page: Page, product: Product): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem("kalos.token") ?? "")
  if (token !== "") product.secrets.add(token)
  return token
}

/** Fill the login form that the page shows, and send it. */
export async function logIn(page: Page, product: Product, name: string, password: string): Promise<void> {
  product.secrets.add(password)
  await page.getByLabel("Account or e-mail", { exact: true }).fill(name)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await typeCaptcha(page, product)
  await page.getByRole("button", { name: "Log in" }).click()
}
