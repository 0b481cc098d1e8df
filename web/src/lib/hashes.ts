/** The deciding digit of a block hash: letters are skipped, the last digit counts. Null when the hash has no digit. */
export function decidingDigit(hash: string): { digit: number; index: number } | null {
  const bare = bareHash(hash)
  for (let index = bare.length - 1; index >= 0; index--) {
    const code = bare.charCodeAt(index) - 48
    if (code >= 0 && code <= 9) return { digit: code, index }
  }
  return null
}

/** The hash without its leading 0x. */
export function bareHash(hash: string): string {
  return hash.startsWith("0x") ? hash.slice(2) : hash
}
