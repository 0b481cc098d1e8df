import type { Body } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import type { FactorCodes } from "../../lib/secondFactor.ts"

/** Which of the three ways to a withdrawal password. */
export type Way = "first" | "change" | "forgotten"

export const START = { password: "", old: "", next: "", again: "", google_code: "" }
export type OutPasswordFields = typeof START
/** In the order in which they stand. */
export const FIELDS = Object.keys(START) as (keyof OutPasswordFields)[]

/** The rules of a withdrawal password, as the server has them: 6 to 20 ASCII digits. */
export const outPasswordRules = (password: string) => ({
  length: password.length >= 6 && password.length <= 20,
  only: /^[0-9]+$/.test(password),
})

export const outPasswordFits = (password: string): boolean =>
  Object.values(outPasswordRules(password)).every(Boolean)

type OutPasswordBody = Omit<Body<"/api/user/upOutPwd">, "proof">

/** What the call takes for this way, and nothing of the others: it tells them apart by their fields. */
export function bodyOf(way: Way, fields: OutPasswordFields, codes: FactorCodes): OutPasswordBody {
  const wish = { new_password: fields.next, confirm_password: fields.again }
  if (way === "first") return { ...wish, password: fields.password, ...codes }
  if (way === "change") return { ...wish, old_password: fields.old, ...codes }
  const google_code = bareCode(fields.google_code)
  return { ...wish, ...codes, ...(google_code !== "" && { google_code }) }
}

const REFUSED: Record<string, keyof OutPasswordFields> = {
  wrong_credentials: "password",
  wrong_out_password: "old",
  out_password_format: "next",
  password_same: "next",
  password_mismatch: "again",
}

/** The field that a refusal is about. */
export const fieldOf = (error: string): keyof OutPasswordFields | undefined => REFUSED[error]
