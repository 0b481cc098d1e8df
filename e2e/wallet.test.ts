/** A wallet with a real key: bound in the security centre, logging in by its signature alone, and taken away. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { after, test } from "node:test"
import { AuthenticatorApp } from "./support/AuthenticatorApp.ts"
import { logIn, mailedCode, newMember, provenSlide, slide, soon, typeMailedCode } from "./support/people.ts"
import { useProduct } from "./support/useProduct.ts"

const PYTHON = resolve(import.meta.dirname, "../.venv/bin/python")
/** Signs in a process of its own, with another implementation than the product's. */
const SIGN = `
import sys
from eth_account import Account
from eth_account.messages import encode_defunct
own = Account.from_key(sys.argv[1])
print(own.address, flush=True)
for asked in sys.stdin:
    print(own.sign_message(encode_defunct(hexstr=asked.strip())).signature.to_0x_hex(), flush=True)
`
const KEY = `0x${randomBytes(32).toString("hex")}`
const signer = spawn(PYTHON, ["-c", SIGN, KEY], { stdio: ["pipe", "pipe", "inherit"] })
after(() => signer.kill())
const said = createInterface(signer.stdout)[Symbol.asyncIterator]()
const heard = async (): Promise<string> => String((await said.next()).value)

const { product, phone, page } = await useProduct()
product.hide(KEY)
const address = await heard()
const signed: string[] = []
let declines = true
await page.exposeFunction("signInProcess", async (hex: string) => {
  if (declines) return null
  signed.push(Buffer.from(hex.slice(2), "hex").toString())
  signer.stdin.write(`${hex}\n`)
  return await heard()
})

const member = await newMember(product)
const sheet = page.getByRole("dialog")
const button = (name: string | RegExp) => page.getByRole("button", { name })

test("without a wallet the page says so", async () => {
  await page.goto(`${product.url}/login?redirect=%2Fme1%3Fview%3Dwallet`)
  await button("Log in with a wallet").click()
  await page.getByText("No wallet was found here.").waitFor()
  await phone.shot("wallet-none")
  await button("Close").click()
})

test("a wallet that isn't bound is told what to do, after two failures behind a slide", async () => {
  declines = false
  await page.addInitScript((own) => {
    const request = async ({ method, params }: { method: string; params?: [string] }) => {
      if (method === "eth_requestAccounts") return [own.toLowerCase()]
      const { signInProcess } = globalThis as unknown as { signInProcess: (hex: string) => Promise<string> }
      const answer = await signInProcess(params?.[0] ?? "")
      if (answer === null) throw Object.assign(new Error("declined"), { code: 4001 })
      return answer
    }
    const detail = { info: { uuid: "e2e", name: "Test wallet" }, provider: { request } }
    addEventListener("eip6963:requestProvider", () =>
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail })),
    )
  }, address)
  await page.reload()
  await button("Log in with a wallet").click()
  await button("Test wallet").click()
  const unbound = page.getByText("This wallet is bound to no account.")
  await unbound.waitFor()
  await phone.shot("wallet-unbound")
  const second = page.waitForResponse((answer) => answer.url().endsWith("/api/auth/login"))
  await button("Test wallet").click()
  await second
  await button("Test wallet").click()
  await slide(page, product, "keys")
  await unbound.waitFor()
  await button("Close").click()
})

test("it is bound by the sentence that the page shows in full; declining changes nothing", async () => {
  await logIn(page, product, member.account, member.password)
  await button("Bind a wallet").click()
  await sheet.getByRole("button", { name: "Test wallet" }).click()
  await sheet.getByText(`account ${member.account}.`).waitFor()
  declines = true
  await button("Sign in the wallet").click()
  await sheet.getByText("You declined in the wallet.").waitFor()
  declines = false
  await button("Sign in the wallet").click()
  await typeMailedCode(page, product, member.email)
  await phone.shot("wallet-bind-dark")
  await button("Bind this wallet").click()
  await slide(page, product, "keys")
  await sheet.waitFor({ state: "detached" })
  await button("Bind another wallet").waitFor()
  await page.locator(`[data-address="${address}"]`).waitFor()
  await phone.shot("wallet-bound-dark")
  assert.match(signed.at(-1) ?? "", new RegExp(`^localhost:\\d+ wants you to sign in .*\\n${address}\\n`))
  const { login_wallets } = await product.call("/api/user/info", {}, member.token)
  assert.deepEqual(
    login_wallets.map((bound) => bound.address),
    [address],
  )
})

test("with an authenticator its code is asked for too; a wrong one uses the signature up", async () => {
  const { token, password } = member
  const { secret } = await product.call("/api/user/google", {}, token)
  product.hide(secret)
  const app = new AuthenticatorApp(secret)
  const bound = {
    code: await app.code(),
    password,
    email_code: await mailedCode(product, member, "google"),
    proof: await provenSlide(product),
  }
  const { recovery_codes } = await product.call("/api/user/bindGoogle", bound, token)
  for (const one of recovery_codes) product.hide(one)
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
  await page.goto(`${product.url}/login?redirect=%2Fme1%3Fview%3Dwallet`)
  const code = page.getByLabel("Code of your authenticator", { exact: true })
  await button("Log in with a wallet").click()
  await button("Test wallet").click()
  await code.fill("000000")
  await phone.shot("wallet-code-dark")
  await button("Log in").click()
  await page.getByText("The code is wrong").first().waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem("kalos.token")), null)
  const before = signed.length
  await button("Sign again").click()
  await button("Test wallet").click()
  await code.fill(await app.code())
  assert.equal(signed.length, before + 1)
  await button("Log in").click()
  await page.locator(`[data-address="${address}"]`).waitFor()
  const unbound = {
    google_code: recovery_codes[0] ?? "",
    password,
    email_code: await mailedCode(product, member, "unbind"),
    proof: await provenSlide(product),
  }
  await product.call("/api/user/unbindGoogle", unbound, token)
})

test("bound, it logs in; removed with the second factor and a slide, it doesn't", async () => {
  await page.evaluate(() => {
    localStorage.removeItem("kalos.token")
    sessionStorage.clear()
  })
  await page.goto(`${product.url}/login?redirect=%2Fme1%3Fview%3Dwallet`)
  await button("Log in with a wallet").click()
  await button("Test wallet").click()
  await button("Remove").click()
  await typeMailedCode(page, product, member.email)
  await phone.shot("wallet-remove-dark")
  await button("Remove the wallet").click()
  await slide(page, product, "keys")
  await button("Bind a wallet").waitFor()
  await page.evaluate(() => localStorage.removeItem("kalos.token"))
  await page.goto(`${product.url}/login`)
  await button("Log in with a wallet").click()
  // After two failures of an address; those from before the log-in count for some minutes.
  const asked = page.getByRole("dialog", { name: "Slide verification" })
  await soon(async () => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/auth/login"))
    await button("Test wallet").click()
    await answered
    await asked.or(page.getByText("This wallet is bound to no account.")).first().waitFor()
    return asked.isVisible()
  })
  await slide(page, product, "keys")
  await page.getByText("This wallet is bound to no account.").waitFor()
})
