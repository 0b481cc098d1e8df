export const TABS = ["address", "hash", "records"] as const
export type TopUpTab = (typeof TABS)[number]

export interface TopUpSearch {
  tab?: TopUpTab
}

/** /node3: which of its three parts. */
export function validateTopUp(raw: Record<string, unknown>): TopUpSearch {
  const tab = TABS.find((known) => known === raw.tab)
  return tab ? { tab } : {}
}
