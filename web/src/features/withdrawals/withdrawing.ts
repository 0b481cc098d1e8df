import { call, type Data } from "../../lib/api.ts"
import { Payment } from "../../lib/payment.ts"

/** What a withdrawal is made of, and what its review shows of it. */
export interface Wish {
  coin_type: 1 | 2
  amount: string
  wallet_id: string
  buy_fee: boolean
  /** The fee in KLS that was shown: a higher one is refused. */
  most_fee: string
  /** The same of what its bought KLS costs in USDT; "0" where none is bought. */
  most_purchase: string
  shown: { coin: "USDT" | "KLS"; address: string; label: string; network: string }
}

export type WithdrawReceipt = Data<"/api/withdraw/withdrawCoin">

/** One for the page: it outlives the screen until it is answered. */
export const withdrawing = new Payment<Wish, WithdrawReceipt>(
  "withdraw",
  ({ shown: _, out_password = "", ...order }) =>
    call("/api/withdraw/withdrawCoin", { ...order, out_password }, { quiet: true }),
  { password: true },
)
