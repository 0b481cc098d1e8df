import { scaleOf } from "../lib/scales.ts"
import { fromBase64, utf8 } from "../lib/wire/bytes.ts"

const ROUNDS = 600_000
const SEED_BITS = 256
/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = "302e020100300506032b657004220420"

const toHex = (bytes: ArrayBuffer | Uint8Array) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
const fromHex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export interface Signed {
  /** Hexadecimal, as the house knows the reviewer's key. */
  publicKey: string
  signature: string
}

/** The key that follows from a signing passphrase: made here each time and stored nowhere. */
async function keyOf(name: string, passphrase: string) {
  const typed = await crypto.subtle.importKey("raw", utf8(passphrase), "PBKDF2", false, ["deriveBits"])
  const salt = utf8(`kalos reviewer ${name}`)
  const stretched = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS }
  const seed = await crypto.subtle.deriveBits(stretched, typed, SEED_BITS)
  const pkcs8 = fromHex(PKCS8 + toHex(seed))
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"])
  const { x = "" } = await crypto.subtle.exportKey("jwk", key)
  const padded = `${x.replaceAll("-", "+").replaceAll("_", "/")}=`
  return { key, publicKey: toHex(fromBase64(padded)) }
}

async function signed(key: CryptoKey, message: string): Promise<string> {
  return toHex(await crypto.subtle.sign("Ed25519", key, utf8(message)))
}

/** Sign `message` with the key of a reviewer's signing passphrase. Why so: docs/decisions/0033-console.md. */
export async function signAs(name: string, passphrase: string, message: string): Promise<Signed> {
  const { key, publicKey } = await keyOf(name, passphrase)
  return { publicKey, signature: await signed(key, message) }
}

/** The key of a new signing passphrase, with the proof that it is there: its signature of whose it is. */
export async function proveKey(name: string, passphrase: string): Promise<Signed> {
  const { key, publicKey } = await keyOf(name, passphrase)
  return { publicKey, signature: await signed(key, `kalos reviewer key 1\n${name}\n${publicKey}`) }
}

interface Shown {
  id: string
  asset: string
  amount: string
  address: string
  needed: number
  round: number
}

/** The chain that a text to be signed names. */
export const chainOf = (message: string): string => message.split("\n")[4] ?? ""

/** A decimal in units of its coin; none where it isn't one, or finer than the coin. */
function unitsOf(amount: string, asset: string): string | undefined {
  const [, whole = "", decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const scale = scaleOf(asset)
  if (whole === "" || /[1-9]/.test(decimals.slice(scale))) return undefined
  return (whole + decimals.slice(0, scale).padEnd(scale, "0")).replace(/^0+/, "")
}

/** Whether the text to be signed is of the withdrawal that is shown: who signs has read the latter. */
export function isOf(message: string, shown: Shown): boolean {
  const [head, id, asset, units, , address, needed, round, ...more] = message.split("\n")
  return (
    head === "kalos withdrawal 2" &&
    id === shown.id &&
    asset === shown.asset &&
    /^[1-9]\d*$/.test(units ?? "") &&
    units === unitsOf(shown.amount, asset) &&
    address === shown.address &&
    needed === String(shown.needed) &&
    round === String(shown.round) &&
    more.length === 0
  )
}

/** Whether the text to be signed is of the limit that a command shows as changed, from what and to what. */
export function isLimitOf(message: string, shown: { before: object; after: object }): boolean {
  const [head, order, limit, before, after, ...more] = message.split("\n")
  return (
    head === "kalos signer limit 1" &&
    /^[1-9]\d*$/.test(order ?? "") &&
    JSON.stringify([shown.before, shown.after]) ===
      JSON.stringify([{ [limit ?? ""]: before }, { [limit ?? ""]: after }]) &&
    more.length === 0
  )
}
