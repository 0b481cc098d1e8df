import type { WireKeys } from "../api.gen.ts"
import { type Bytes, fromBase64 } from "./bytes.ts"
import { PATIENCE } from "./channel.ts"

const DAY_SECONDS = 86_400
const WHERE = "/.well-known/wire-keys"

export interface WireKey {
  kid: string
  publicKey: Bytes
}

/** The key in the page's meta tag; null where there is none, or where the page is older than a day. */
export function keyOfPage(content: string | undefined, nowSeconds: number): WireKey | null {
  if (!content) return null
  const document = JSON.parse(content) as WireKeys
  return nowSeconds - document.server_time > DAY_SECONDS ? null : newest(document)
}

export async function fetchKey(fetch: typeof globalThis.fetch): Promise<WireKey> {
  const signal = AbortSignal.timeout(PATIENCE)
  const answer = await fetch(WHERE, { cache: "no-store", credentials: "omit", signal })
  if (!answer.ok) throw new Error(`wire keys: HTTP ${answer.status}`)
  const key = newest((await answer.json()) as WireKeys)
  if (key === null) throw new Error("wire keys: none known")
  return key
}

/** The first key of the suite that this page speaks; newer ones stand first. */
function newest({ keys }: WireKeys): WireKey | null {
  const found = keys.find(({ kem, kdf, aead }) => kem === 16 && kdf === 1 && aead === 2)
  return found ? { kid: found.kid, publicKey: fromBase64(found.pk) } : null
}
