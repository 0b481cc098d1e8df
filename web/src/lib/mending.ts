import { Refusal } from "./api.ts"
import { isBuilt } from "./unbuilt.ts"

interface Screen {
  to: string
  search?: Record<string, string>
}

// By the names of the contract, some of them of calls and screens that this build doesn't have.
const SCREENS: Readonly<Record<string, Screen>> = {
  insufficient_balance: { to: "/node3" },
  out_password_not_set: { to: "/me1", search: { view: "withdraw" } },
  out_password_locked: { to: "/me1", search: { view: "withdraw" } },
  email_not_bound: { to: "/me1", search: { view: "email" } },
  self_excluded: { to: "/me1", search: { view: "limits" } },
  player_limit: { to: "/me1", search: { view: "limits" } },
  kyc_required: { to: "/realName1" },
  age_required: { to: "/realName1" },
  address_required: { to: "/address2" },
  address_waiting: { to: "/address3" },
}

/** The screen where a member can put right what a refusal names; null where there is none, or not yet. */
export function mendOf(problem: Error | null | undefined): Screen | null {
  const screen = problem instanceof Refusal ? SCREENS[problem.error] : undefined
  return screen && isBuilt(screen.to) ? screen : null
}

/** Every screen that a refusal can lead to. */
export const MENDING: readonly string[] = Object.values(SCREENS).map(({ to }) => to)
