import { wordsIn } from "../../lib/searched.ts"

export const TABS = ["form", "records"] as const
export type WithdrawTab = (typeof TABS)[number]

export const COINS = ["USDT", "KLS"] as const
export type Coin = (typeof COINS)[number]

export const STATUSES = ["on_chain_processing", "pending_review", "approved", "refused", "failed"] as const
export type WithdrawalStatus = (typeof STATUSES)[number]

export interface WithdrawSearch {
  tab?: WithdrawTab
  coin?: Coin
  /** The chosen entry of the book. */
  wallet?: string
  status?: WithdrawalStatus
}

const ID = /^\d{1,18}$/

/** /node4: which part, which coin, whereto, and which records. What isn't one of these is left out. */
export function validateWithdraw(raw: Record<string, unknown>): WithdrawSearch {
  const wallet = String(raw.wallet)
  return { ...wordsIn(raw, { tab: TABS, coin: COINS, status: STATUSES }), ...(ID.test(wallet) && { wallet }) }
}
