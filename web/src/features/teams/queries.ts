import type { TeamLine } from "../../lib/api.gen.ts"
import type { Data } from "../../lib/calls.ts"
import { pagesQuery } from "../../lib/queries.ts"

export type { TeamLine }

export const sharedQuery = () => pagesQuery("/api/user/shareList", {})

export const lineQuery = (account: string | undefined) =>
  pagesQuery("/api/user/teamList", account === undefined ? {} : { account })

/** Where the bands of turnover begin; none where it is shown exactly. */
export const bandsOf = (page: unknown): readonly string[] =>
  (page as Data<"/api/user/teamList"> | undefined)?.bands ?? []
