/** A wallet with a real key: bound to an account, and then logging in by its signature alone. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { useProduct } from "./support/useProduct.ts"

const PYTHON = resolve(import.meta.dirname, "../.venv/bin/python")
/** Signs in a process of its own, with another implementation than the product's. */
const SIGN = `
import sys
from eth_account import Account
from eth_account.messages import encode_defunct
own = Account.from_key(sys.argv[1])
if len(sys.argv) < 3: print(own.address)
else: print(own.sign_message(encode_defunct(hexstr=sys.argv[2])).signature.to_0x_hex())
`
const KEY = `0x${randomBytes(32).toString("hex")}`
const wallet = (...asked: string[]) =>
  execFileSync(PYTHON, ["-c", SIGN, KEY, ...asked], { encoding: "utf8" }).trim()
const hexOf = (text: string) => `0x${Buffer.from(text).toString("hex")}`

const NAME = "10000002"
const { product, phone, page } = await useProduct()
product.hide(KEY)
const address = wallet()
const signed: string[] = []
await page.exposeFunction("signInProcess", (hex: string) => {
  signed.push(Buffer.from(hex.slice(2), "hex").toString())
  return wallet(hex)
})

/** Bind the wallet to the demo account by calls: its screen is the security centre's. */
async function bind(): Promise<void> {
  const { captcha_id } = await product.call("/api/auth/captcha", {})
  const answer = await product.call("/api/demo/captcha", { captcha_id })
  const login = { name: NAME, password: "demo1234", captcha_id, code: "code" in answer ? answer.code : "" }
  const opened = await product.call("/api/auth/login", login)
  if (!("token" in opened)) throw new Error("the demo account has an authenticator")
  const { token } = opened
  product.hide(token)
  const slide = await product.call("/api/auth/slide", {})
  const found = await product.call("/api/demo/captcha", { captcha_id: slide.captcha_id })
  const x = "x" in found ? found.x : 0
  const track: [number, number][] = [
    [0, 0],
    [Math.floor(x / 2), 400],
    [x, 800],
  ]
  const { proof } = await product.call("/api/auth/slideVerify", { captcha_id: slide.captcha_id, x, track })
  await product.call("/api/user/sendEmail", { scene: "login_wallet" }, token)
  const letters = { email: `${NAME}@demo.kalos.example` }
  let code: string | null | undefined
  while (!code) {
    await sleep(100)
    code = (await product.call("/api/demo/inbox", letters)).list[0]?.code
  }
  const { nonce, message } = await product.call("/api/auth/nonce", { address }, token)
  assert.match(message, new RegExp(`account ${NAME}\\.`))
  const sign_message = wallet(hexOf(message))
  await product.call(
    "/api/user/bindLogin",
    { address, code: nonce, sign_message, proof, email_code: code },
    token,
  )
}

test("without a wallet the page says so", async () => {
  await page.goto(`${product.url}/login`)
  await page.getByRole("button", { name: "Log in with a wallet" }).click()
  await page.getByText("No wallet was found here.").waitFor()
  await phone.shot("wallet-none")
  await page.getByRole("button", { name: "Close" }).click()
})

test("a bound wallet logs in, one that isn't bound is told what to do", async () => {
  await page.addInitScript((own) => {
    const request = async ({ method, params }: { method: string; params?: [string] }) =>
      method === "eth_requestAccounts"
        ? [own.toLowerCase()]
        : (globalThis as unknown as { signInProcess: (hex: string) => string }).signInProcess(
            params?.[0] ?? "",
          )
    const detail = { info: { uuid: "e2e", name: "Test wallet" }, provider: { request } }
    addEventListener("eip6963:requestProvider", () =>
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail })),
    )
  }, address)
  await page.goto(`${product.url}/login`)
  await page.getByRole("button", { name: "Log in with a wallet" }).click()
  await page.getByRole("button", { name: "Test wallet" }).click()
  await page.getByText("This wallet is bound to no account.").waitFor()
  await phone.shot("wallet-unbound")
  await bind()
  await page.getByRole("button", { name: "Test wallet" }).click()
  await page.waitForURL(`${product.url}/home`)
  assert.equal(signed.length, 2)
  assert.match(signed[1] ?? "", new RegExp(`^localhost:\\d+ wants you to sign in .*\\n${address}\\n`))
})
