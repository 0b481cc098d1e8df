/** The login password's rules, as the server has them: 6 to 20 characters, ASCII letters and digits, both. */
export function passwordRules(password: string): {
  length: boolean
  letter: boolean
  digit: boolean
  only: boolean
} {
  return {
    length: password.length >= 6 && password.length <= 20,
    letter: /[A-Za-z]/.test(password),
    digit: /[0-9]/.test(password),
    only: /^[A-Za-z0-9]+$/.test(password),
  }
}

export function passwordFits(password: string): boolean {
  return Object.values(passwordRules(password)).every(Boolean)
}

/** Looks like an e-mail address; the server decides. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}
