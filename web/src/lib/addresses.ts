import { keccak256 } from "./keccak.ts"

const FORM = /^0x[0-9a-fA-F]{40}$/

/** What is wrong with an address to send to: not of the form, or a checksum (EIP-55) that is missing or doesn't fit. */
export type AddressFault = "form" | "checksum_missing" | "checksum"

/** Check an address as it was typed or pasted; null where it can be taken. */
export function addressFault(text: string): AddressFault | null {
  if (!FORM.test(text)) return "form"
  if (text === withChecksum(text)) return null
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() ? "checksum_missing" : "checksum"
}

/** The same address with the capital letters that its hash gives it. Source: EIP-55. */
export function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(digits)
  return `0x${[...digits].map((digit, index) => ((hash[index] ?? "0") >= "8" ? digit.toUpperCase() : digit)).join("")}`
}
