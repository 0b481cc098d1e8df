import { entryAddress } from "./details.ts"
import { sha256, toHex, utf8 } from "./wire/bytes.ts"

export interface BuildFile {
  name: string
  /** SHA-256 as hexadecimal digits. */
  digest: string
}

const NEEDED = /(?:from|import)\s*["'](\.\/[\w.-]+\.js)["']/g

/**
 * The file that this page was started from and those that it needs at once, each with its SHA-256: `sha256sum` of the
 * same files of a build made from the source gives the same. The browser's copies are read, so it is what runs here.
 */
export async function startFiles(): Promise<BuildFile[]> {
  const entry = entryAddress()
  const code = await textOf(entry)
  const needed = [...code.matchAll(NEEDED)].map(([, place]) => new URL(place ?? "", entry).href)
  return Promise.all([entry, ...new Set(needed)].map(fileOf))
}

async function fileOf(address: string): Promise<BuildFile> {
  const name = new URL(address).pathname.split("/").at(-1) ?? ""
  return { name, digest: toHex(await sha256(utf8(await textOf(address)))) }
}

async function textOf(address: string): Promise<string> {
  const answer = await fetch(address, { cache: "force-cache" })
  if (!answer.ok) throw new Error(`the page's own code isn't there: ${answer.status}`)
  return answer.text()
}
