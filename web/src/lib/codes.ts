/** A code as it was typed or pasted ("123 456", "１２３４５６"), without what isn't part of it. */
export function bareCode(text: string): string {
  return text.normalize("NFKC").replace(/[\s-]/g, "")
}
