/** A browser wallet's own door (EIP-1193). */
interface Provider {
  request: (asked: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

/** A wallet that this browser has, under the name that it gives itself (EIP-6963). */
export interface Wallet {
  id: string
  name: string
  provider: Provider
}

/** What a wallet said instead of an answer: its owner declined, or it can't do this. */
export class WalletProblem extends Error {
  readonly kind: "declined" | "failed"
  constructor(kind: "declined" | "failed", cause: unknown) {
    super(kind, { cause })
    this.kind = kind
  }
}

const DECLINED = 4001
const PATIENCE = 200
const LONGEST_NAME = 40
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** Every wallet that announces itself within a moment; else the one that older ones leave in the window. */
export async function findWallets(patience = PATIENCE): Promise<Wallet[]> {
  const found = new Map<string, Wallet>()
  const hear = (event: Event) => {
    const wallet = read((event as CustomEvent<unknown>).detail)
    if (wallet) found.set(wallet.id, wallet)
  }
  addEventListener("eip6963:announceProvider", hear)
  dispatchEvent(new Event("eip6963:requestProvider"))
  await new Promise((done) => setTimeout(done, patience))
  removeEventListener("eip6963:announceProvider", hear)
  const old: unknown = (globalThis as { ethereum?: unknown }).ethereum
  if (found.size === 0 && isProvider(old)) found.set("", { id: "", name: "", provider: old })
  return [...found.values()]
}

/** The address that its owner chooses to show. Raises: WalletProblem. */
export async function addressOf({ provider }: Wallet): Promise<string> {
  const answer = await ask(provider, "eth_requestAccounts")
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined
  return checked(first, ADDRESS)
}

/** Have exactly this text signed, which the wallet shows to its owner. Raises: WalletProblem. */
export async function signText({ provider }: Wallet, address: string, text: string): Promise<string> {
  const hex = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  return checked(await ask(provider, "personal_sign", [`0x${hex}`, address]), SIGNATURE)
}

async function ask(provider: Provider, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request(params === undefined ? { method } : { method, params })
  } catch (problem) {
    const declined = (problem as { code?: unknown } | null)?.code === DECLINED
    throw new WalletProblem(declined ? "declined" : "failed", problem)
  }
}

function checked(answer: unknown, form: RegExp): string {
  if (typeof answer !== "string" || !form.test(answer)) throw new WalletProblem("failed", answer)
  return answer
}

/** What announces itself is a stranger's object: only what has the right form is taken, and its name cut. */
function read(detail: unknown): Wallet | undefined {
  const { info, provider } = (detail ?? {}) as {
    info?: { uuid?: unknown; name?: unknown }
    provider?: unknown
  }
  if (typeof info?.uuid !== "string" || typeof info.name !== "string" || !isProvider(provider))
    return undefined
  return { id: info.uuid, name: info.name.slice(0, LONGEST_NAME), provider }
}

const isProvider = (thing: unknown): thing is Provider =>
  typeof (thing as { request?: unknown } | null | undefined)?.request === "function"
