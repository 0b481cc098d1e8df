// @vitest-environment document
import { afterEach, expect, test } from "vitest"
import { addressOf, findWallets, signText, type Wallet, WalletProblem } from "./wallet.ts"

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7"
const SIGNATURE = `0x${"5f".repeat(64)}1b`
const undo: (() => void)[] = []

afterEach(() => {
  for (const one of undo.splice(0)) one()
})

/** A wallet in the page that announces itself when it is asked to. */
function announce(info: unknown, provider: unknown): void {
  const answer = () =>
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }))
  addEventListener("eip6963:requestProvider", answer)
  undo.push(() => removeEventListener("eip6963:requestProvider", answer))
}

function leave(provider: unknown): void {
  Object.assign(globalThis, { ethereum: provider })
  undo.push(() => Reflect.deleteProperty(globalThis, "ethereum"))
}

const answering = (answer: unknown) => ({ request: async () => answer })
const wallet = (
  request: (asked: { method: string; params?: readonly unknown[] }) => Promise<unknown>,
): Wallet => ({
  id: "1",
  name: "One",
  provider: { request },
})

test("a page without a wallet finds none", async () => {
  expect(await findWallets(0)).toEqual([])
})

test("wallets that announce themselves are found once each, and the window's own isn't asked then", async () => {
  const [one, two] = [answering(1), answering(2)]
  announce({ uuid: "a", name: "One" }, one)
  announce({ uuid: "a", name: "One" }, one)
  announce({ uuid: "b", name: "T".repeat(99) }, two)
  leave(answering(3))
  expect(await findWallets(0)).toEqual([
    { id: "a", name: "One", provider: one },
    { id: "b", name: "T".repeat(40), provider: two },
  ])
})

test("what is no wallet is none", async () => {
  announce(null, answering(1))
  announce({ uuid: 1, name: "One" }, answering(1))
  announce({ uuid: "a", name: {} }, answering(1))
  announce({ uuid: "a", name: "One" }, {})
  announce({ uuid: "a", name: "One" }, null)
  leave({})
  expect(await findWallets(0)).toEqual([])
})

test("an older wallet is found in the window", async () => {
  const old = answering(1)
  leave(old)
  expect(await findWallets(0)).toEqual([{ id: "", name: "", provider: old }])
})

test("the text is signed as its bytes, with the address that was chosen", async () => {
  const asked: unknown[] = []
  const own = wallet(async (one) => {
    asked.push(one)
    return one.method === "eth_requestAccounts" ? [ADDRESS, "0x2"] : SIGNATURE
  })
  expect(await addressOf(own)).toBe(ADDRESS)
  expect(await signText(own, ADDRESS, "Kalos é\n")).toBe(SIGNATURE)
  expect(asked).toEqual([
    { method: "eth_requestAccounts" },
    { method: "personal_sign", params: ["0x4b616c6f7320c3a90a", ADDRESS] },
  ])
})

test.each([[null], [[]], [[1]], [["0x1"]], [["alice.eth"]], [[`${ADDRESS}0`]]])(
  "no address is taken from %j",
  async (answer) => {
    await expect(addressOf(wallet(async () => answer))).rejects.toMatchObject({ kind: "failed" })
  },
)

test.each([[undefined], [""], ["0x"], [SIGNATURE.slice(2)], [`${SIGNATURE}00`], [{ signature: SIGNATURE }]])(
  "no signature is taken from %j",
  async (answer) => {
    await expect(
      signText(
        wallet(async () => answer),
        ADDRESS,
        "x",
      ),
    ).rejects.toMatchObject({ kind: "failed" })
  },
)

test("an owner who declines is told apart from a wallet that fails", async () => {
  const refuse = (problem: unknown) => addressOf(wallet(() => Promise.reject(problem)))
  await expect(refuse({ code: 4001 })).rejects.toMatchObject({ kind: "declined" })
  await expect(refuse({ code: -32002 })).rejects.toMatchObject({ kind: "failed" })
  await expect(refuse(null)).rejects.toBeInstanceOf(WalletProblem)
})
