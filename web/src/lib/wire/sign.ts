import { sha256, toBase64url, toHex, utf8 } from "./bytes.ts"

// The server's half is server/src/kalos/wire/signing.py; both agree with contract/wire-vectors.json byte for byte.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Fields = Record<string, Json>

/** What is signed besides the fields. `token` is the session's, or empty. */
export interface Surroundings {
  token: string
  lang: string
  method: string
  path: string
  session: string
}

const LEFT_OUT = new Set(["sign", "image"])

/**
 * The text that is signed: percent-encoded `key=value` pairs, sorted by key, joined by `&`.
 *
 * Raises: where a field has the name of something that is added, or half a surrogate pair is in a text.
 */
export async function signingString(fields: Fields, around: Surroundings): Promise<string> {
  const pairs: [string, Json][] = Object.entries(fields).filter(([key]) => !LEFT_OUT.has(key))
  const added: [string, Json][] = [
    [":auth", await tokenPrint(around.token)],
    [":lang", around.lang],
    [":method", around.method],
    [":path", around.path],
    [":session", around.session],
  ]
  if (added.some(([key]) => Object.hasOwn(fields, key))) throw new Error("a field is named as an added one")
  return [...pairs, ...added]
    .map(
      ([key, value]) =>
        [encode(key), encode(typeof value === "string" ? value : canonicalJson(value))] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join("&")
}

/** What stands for the session's token: base64url of its SHA-256, or nothing. */
export async function tokenPrint(token: string): Promise<string> {
  return token === "" ? "" : toBase64url(await sha256(utf8(token)))
}

/** Upper-case hex of HMAC-SHA-256. */
export async function sign(key: CryptoKey, signed: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(signed)))).toUpperCase()
}

/** JSON with sorted keys, no blanks and no ASCII escapes. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value === "string") return quoted(value)
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  const pairs = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b))
  return `{${pairs.map(([key, item]) => `${quoted(key)}:${canonicalJson(item)}`).join(",")}}`
}

/** JSON.stringify would write half a surrogate pair as an escape: a sign that the canonical form doesn't have. */
function quoted(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new URIError("half a surrogate pair")
  return JSON.stringify(text)
}

/** Unreserved letters stay (RFC 3986), all else is %XX. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** JavaScript's own order is by UTF-16 unit, which puts emoji before some rarer letters. */
function byCodePoint(a: string, b: string): number {
  const left = Array.from(a)
  const right = Array.from(b)
  for (let place = 0; place < Math.min(left.length, right.length); place++) {
    const gap = (left[place]?.codePointAt(0) ?? 0) - (right[place]?.codePointAt(0) ?? 0)
    if (gap !== 0) return gap
  }
  return left.length - right.length
}
