import { callQuery } from "../../lib/queries.ts"

/** What the member set for himself, and what of it is used today. */
export const limitsQuery = () => callQuery("/api/user/limits", {})
