import type { AddressShape, Means, RiskShape, TermsAnswer, WithdrawalRow } from "../../lib/api.gen.ts"
import { callQuery, pagesQuery } from "../../lib/queries.ts"
import type { Coin, WithdrawalStatus } from "./search.ts"

export type { AddressShape, Means, RiskShape, TermsAnswer, WithdrawalRow }

/** Source: treasury.md, "Withdrawal". */
export const COIN_TYPES = { USDT: 1, KLS: 2 } as const satisfies Record<Coin, 1 | 2>

export const termsQuery = () => callQuery("/api/withdraw/index", {})
export const chainsQuery = () => callQuery("/api/lp/chain", {})

export const withdrawalsQuery = (coin: Coin, status?: WithdrawalStatus) =>
  pagesQuery("/api/withdraw/list", { coin_type: COIN_TYPES[coin], ...(status && { status }) })

/** Whether the row will change by itself. */
export const isMoving = ({ status }: Pick<WithdrawalRow, "status">): boolean =>
  status === "pending_review" || status === "on_chain_processing"
