import type { Staff, Withdrawal } from "./shapes.ts"

/** Why who looks at a withdrawal that waits can't answer it now; null where they can. The server decides again. */
export function whyNot(of: Withdrawal, me: Staff): string | null {
  if (!me.roles.includes("reviewer")) return "Reviewers answer withdrawals; you can read them."
  if (of.account === me.account) return "This is your own withdrawal: somebody else answers it."
  if (of.reviews.some(({ staff, round }) => staff === me.name && round === of.round))
    return "You have answered. The next answer must be somebody else's."
  return null
}
