import { Refusal } from "../../lib/api.ts"

/** What the form of /register holds. */
export interface RegisterForm {
  invite_code: string
  email: string
  captcha: string
  email_code: string
  password: string
  country: string
  birth_date: string
  terms: boolean
}

export const START: RegisterForm = {
  invite_code: "",
  email: "",
  captcha: "",
  email_code: "",
  password: "",
  country: "",
  birth_date: "",
  terms: false,
}

/** The fields in the order in which they stand. */
export const FIELDS = Object.keys(START) as (keyof RegisterForm)[]

/** Of the e-mail: whoever owns the address has an account already. */
export const TAKEN = "already_exists"

const REFUSED: Record<string, keyof RegisterForm> = {
  invalid_invite_code: "invite_code",
  [TAKEN]: "email",
  wrong_code: "email_code",
  code_expired: "email_code",
  password_format: "password",
  password_common: "password",
  wrong_captcha: "captcha",
  captcha_expired: "captcha",
}

/** The field that a refusal is about; no other failure is about one. */
export function fieldOf(problem: Error | null): keyof RegisterForm | undefined {
  return problem instanceof Refusal ? REFUSED[problem.error] : undefined
}
