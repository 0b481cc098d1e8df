import { callQuery, pagesQuery } from "../../lib/queries.ts"
import type { DepositRow } from "../../lib/shapes.ts"

export const DEPOSIT_STATUSES = ["on_chain_processing", "pending_review", "approved", "failed"] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

export const depositsQuery = (status: DepositStatus | null) =>
  pagesQuery("dapp/rechargeList", status === null ? {} : { status })

export const chainsQuery = () => callQuery("lp/chain", {})

/** Whether the row will change by itself soon. */
export const isMoving = (row: DepositRow): boolean => row.status === "on_chain_processing"
