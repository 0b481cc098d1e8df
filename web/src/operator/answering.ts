import type { Deposit, Staff, Stray, Withdrawal } from "./shapes.ts"

/** Why who looks at a withdrawal that waits can't answer it now; null where they can. The server decides again. */
export function whyNot(of: Withdrawal, me: Staff): string | null {
  if (!me.roles.includes("reviewer")) return "Reviewers answer withdrawals; you can read them."
  if (of.account === me.account) return "This is your own withdrawal: somebody else answers it."
  if (of.reviews.some(({ staff, round }) => staff === me.name && round === of.round))
    return "You have answered. The next answer must be somebody else's."
  return null
}

/** The same of a deposit in suspense; the house's own has no account. */
export function whyNotDecide(of: Deposit, me: Staff): string | null {
  if (of.account === "")
    return me.roles.includes("treasurer")
      ? null
      : "Treasurers decide what the house itself topped up; you can read it."
  if (!me.roles.includes("reviewer")) return "Reviewers decide deposits; you can read them."
  return of.account === me.account ? "This is your own top-up: somebody else decides it." : null
}

/** The same of a token that the house doesn't know. */
export function whyNotWrite(of: Stray, me: Staff): string | null {
  if (!me.roles.includes("support")) return "Customer service decides other tokens; you can read them."
  return of.account !== "" && of.account === me.account
    ? "This is at your own address: somebody else decides it."
    : null
}
