export interface TeamSearch {
  tab?: "team"
  /** Whose direct line is shown in the tab of the team; absent: the member's own. */
  account?: string
}

export const ACCOUNT = /^[1-9][0-9]{7}$/

/** /invite1: which of its two lists, and whose line. */
export function validateTeam(raw: Record<string, unknown>): TeamSearch {
  if (raw.tab !== "team") return {}
  const account = String(raw.account ?? "")
  return { tab: "team", ...(ACCOUNT.test(account) && { account }) }
}
