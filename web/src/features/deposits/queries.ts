import type { DepositShape } from "../../lib/api.gen.ts"
import { callQuery, pagesQuery } from "../../lib/queries.ts"
import type { DepositStatus } from "./search.ts"

export const depositsQuery = (status: DepositStatus | undefined) =>
  pagesQuery("/api/dapp/rechargeList", status === undefined ? {} : { status })

export const chainsQuery = () => callQuery("/api/lp/chain", {})

/** Whether the row will change by itself soon. */
export const isMoving = (row: DepositShape): boolean => row.status === "on_chain_processing"
