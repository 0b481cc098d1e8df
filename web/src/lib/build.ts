import { entryAddress } from "./details.ts"
import { sha256, toHex } from "./wire/bytes.ts"

/**
 * SHA-256 of the file that this page was started from, as hexadecimal digits: `sha256sum` of the same file of a build
 * made from the source gives the same. The browser's copy is read, so it is what runs here.
 */
export async function entryDigest(): Promise<string> {
  const answer = await fetch(entryAddress(), { cache: "force-cache" })
  if (!answer.ok) throw new Error(`the page's own code isn't there: ${answer.status}`)
  return toHex(await sha256(new Uint8Array(await answer.arrayBuffer())))
}
