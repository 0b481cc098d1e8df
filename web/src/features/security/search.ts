import { wordsIn } from "../../lib/searched.ts"

export const VIEWS = [
  "login",
  "withdraw",
  "google",
  "email",
  "wallet",
  "sessions",
  "log",
  "word",
  "limits",
  "close",
] as const
export type View = (typeof VIEWS)[number]

/** /me1: the whole of it, or one part. */
export function validateSecurity(search: Record<string, unknown>): { view?: View } {
  return wordsIn(search, { view: VIEWS })
}
