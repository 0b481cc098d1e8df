import { wordsIn } from "../../lib/searched.ts"

export const TABS = ["address", "hash", "records"] as const
export type TopUpTab = (typeof TABS)[number]

export const STATUSES = ["on_chain_processing", "pending_review", "approved", "refused", "failed"] as const
export type DepositStatus = (typeof STATUSES)[number]

export interface TopUpSearch {
  tab?: TopUpTab
  status?: DepositStatus
}

/** /node3: which of its three parts, and which records. */
export function validateTopUp(raw: Record<string, unknown>): TopUpSearch {
  return wordsIn(raw, { tab: TABS, status: STATUSES })
}
