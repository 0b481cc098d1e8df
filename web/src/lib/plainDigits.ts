const RAISED = /[\u00b2\u00b3\u00b9\u2070-\u209c]/

/** ASCII digits for full-width, Thai and Arabic ones; raised and lowered ones are none. */
export function plainDigits(text: string): string {
  if (RAISED.test(text)) return text
  return text
    .replace(/[๐-๙\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/。/g, ".")
    .normalize("NFKC")
}
