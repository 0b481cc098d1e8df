import { plainDigits } from "./plainDigits.ts"

/** A whole number as people type it; a point or comma may only part groups of three. Null where it is none. */
export function digitsOf(text: string): number | null {
  const plain = plainDigits(text)
    .replace(/[\s_'\u2019]/g, "")
    .replace(/(?<=\d)[.,](?=\d{3}(?!\d))/g, "")
  return /^\d{1,9}$/.test(plain) ? Number(plain) : null
}
