import { useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "./api.gen.ts"

export interface SecurityCheck {
  /** The part of /me1 where it is done. */
  view: "email" | "withdraw" | "google" | "word"
  met: boolean
}

/** The checks of an account's score that this build has, in the order in which they are best done. */
export function securityChecks(info: InfoAnswer): SecurityCheck[] {
  return [
    { view: "email", met: info.email !== "" },
    { view: "withdraw", met: info.out_password_set },
    { view: "google", met: info.google_bound },
    { view: "word", met: info.anti_phishing !== null },
  ]
}

/** What there is to do where a check isn't met. */
export function useCheckNames(): Record<SecurityCheck["view"], string> {
  const { t } = useLingui()
  return {
    email: t`Bind an e-mail`,
    withdraw: t`Set a withdrawal password`,
    google: t`Add an authenticator`,
    word: t`Choose an anti-phishing word`,
  }
}
