import type { AddressShape, BookRow } from "../../lib/api.gen.ts"
import type { Data } from "../../lib/calls.ts"
import { callQuery, pagesQuery } from "../../lib/queries.ts"

export type { AddressShape, BookRow }

export const bookQuery = () => pagesQuery("/api/user/walletList", {})
export const chainsQuery = () => callQuery("/api/lp/chain", {})

/** How long an address waits that is written down now; undefined while that isn't known. */
export const waitHoursOf = (page: unknown): number | undefined =>
  (page as Data<"/api/user/walletList"> | undefined)?.wait_hours
