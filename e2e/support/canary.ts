/** Whether what a process wrote shows a secret, as server/tests/support/canary.py looks for it. */

const FORMS = [
  /\$argon2id\$v=/,
  /-----BEGIN[A-Z ]* PRIVATE KEY/,
  /\bxprv[0-9A-Za-z]{20}/,
  /:\/\/[^:@/\s"]+:[^@/\s"]+@/,
  /\bcode(?: is)?\W{1,8}\d{6}\b/i,
  /\b(?:password|out_password|email_code|google_code|authorization|token|secret|seed|sign|captcha_text)["']?\s?[:=]\s?["'][^"']/i,
]

/** What the house measures or draws by itself: six digits of a password can stand there by chance. */
const MEASURED = /"(seconds|timestamp|request)": ("[^"]*"|[\d.e+-]+),?/g

/** The lines of a text that hold one of these secrets, or something of a secret's form. */
export function leaksIn(written: string, secrets: Iterable<string>): string[] {
  const known = [...secrets]
  return written.split("\n").filter((line) => {
    const said = line.replace(MEASURED, "")
    return known.some((secret) => said.includes(secret)) || FORMS.some((form) => form.test(said))
  })
}
