export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Every sign of it: a byte order mark at the start stays. */
export const text = (bytes: BufferSource): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

export function join(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}

export function toBase64(bytes: Uint8Array): string {
  let letters = ""
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return btoa(letters)
}

export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** Raises where it isn't base64 with its padding; `atob` alone would forgive blanks and padding left out. */
export function fromBase64(encoded: string): Bytes {
  if (encoded.length % 4 !== 0 || /\s/.test(encoded)) throw new Error("this is no base64")
  return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

export const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
