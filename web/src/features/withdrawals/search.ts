export const TABS = ["form", "records"] as const
export type WithdrawTab = (typeof TABS)[number]

export const COINS = ["USDT", "KLS"] as const
export type Coin = (typeof COINS)[number]

export const STATUSES = ["pending_review", "on_chain_processing", "approved", "refused", "failed"] as const
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
  const tab = TABS.find((known) => known === raw.tab)
  const coin = COINS.find((known) => known === raw.coin)
  const status = STATUSES.find((known) => known === raw.status)
  const wallet = String(raw.wallet)
  return {
    ...(tab && { tab }),
    ...(coin && { coin }),
    ...(ID.test(wallet) && { wallet }),
    ...(status && { status }),
  }
}
