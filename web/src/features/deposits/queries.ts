import type { DepositShape } from "../../lib/api.gen.ts"
import { callQuery, pagesQuery } from "../../lib/queries.ts"

export const DEPOSIT_STATUSES = ["on_chain_processing", "pending_review", "approved", "failed"] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

export const depositsQuery = (status: DepositStatus | null) =>
  pagesQuery("/api/dapp/rechargeList", status === null ? {} : { status })

export const chainsQuery = () => callQuery("/api/lp/chain", {})

/** Whether the row will change by itself soon. */
export const isMoving = (row: DepositShape): boolean => row.status === "on_chain_processing"
