import { plainDigits } from "./plainDigits.ts"

/** A code as it was typed or pasted ("123 456", "１２３４５６", "๑๒๓๔๕๖"), without what isn't part of it. */
export function bareCode(text: string): string {
  return plainDigits(text).replace(/[\s-]/g, "")
}
