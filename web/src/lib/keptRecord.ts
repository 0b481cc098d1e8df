import { type Bytes, random, text, utf8 } from "./wire/bytes.ts"

// The one record of what a member last saw: sealed with a key that follows from their token, so that nobody else can
// read what a wipe didn't reach. It stands apart from what keeps it, for the sketch is filled with it before that runs.

const KEPT_MS = 7 * 86_400_000
const MOST = 60
const MOST_LETTERS = 400_000
const IV_BYTES = 12

/** What a query was answered, and when. */
export interface Answer {
  key: readonly unknown[]
  data: unknown
  at: number
}
interface Sealed {
  /** The build that wrote it: another one may expect other fields. */
  build: string
  iv: Bytes
  sealed: ArrayBuffer
}

/** Whether it is one record: each was sealed under a vector of its own. */
export function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((record) => (record as Partial<Sealed> | undefined)?.iv)
  return first === undefined || second === undefined ? one === other : String(first) === String(second)
}

/** What is older isn't shown. */
export const isYoung = ({ at }: Answer): boolean => at > Date.now() - KEPT_MS

/** The newest that are young enough and fit together. */
export function newest(answers: readonly Answer[]): Answer[] {
  const young = answers.filter(isYoung).sort((a, b) => b.at - a.at)
  let letters = 0
  return young.slice(0, MOST).filter((answer) => {
    const length = JSON.stringify(answer).length
    if (letters + length > MOST_LETTERS) return false
    letters += length
    return true
  })
}

/** Seal it for this member and this build. */
export async function seal(token: string, build: string, rows: readonly Answer[]): Promise<Sealed> {
  const iv = random(IV_BYTES)
  const key = await keyOf(token)
  return {
    build,
    iv,
    sealed: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, utf8(JSON.stringify(rows))),
  }
}

/** What this member and this build kept; null where the record is another's, too old or none. */
export async function open(token: string, build: string, record: unknown): Promise<Answer[] | null> {
  const { build: by, iv, sealed } = (record ?? {}) as Sealed
  if (by !== build) return null
  try {
    const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyOf(token), sealed)
    return JSON.parse(text(opened)) as Answer[]
  } catch {
    return null
  }
}

async function keyOf(token: string): Promise<CryptoKey> {
  const input = await crypto.subtle.importKey("raw", utf8(token), "HKDF", false, ["deriveKey"])
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("kalos kept answers 1") }
  return crypto.subtle.deriveKey(how, input, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}
