import type { RoundProof } from "../../lib/api.gen.ts"
import type { Data } from "../../lib/api.ts"
import { callQuery, pagesQuery } from "../../lib/queries.ts"
import type { BetStatus } from "./search.ts"

/** The newest bets of a game: what is still waiting, and what was decided last. */
export const newestBetsQuery = (game: string) => callQuery("/api/game/orderList", { game, size: 10 })

export const betsQuery = (game: string, status: BetStatus | undefined) =>
  pagesQuery("/api/game/orderList", { game, ...(status && { status }) })

/** The scene's last round that takes no more bets, drawn or not. */
export const lastRoundQuery = (sceneId: string) =>
  callQuery("/api/game/blockLog", { scene_id: sceneId, size: 1 })

export const pastRoundsQuery = (sceneId: string) => pagesQuery("/api/game/blockLog", { scene_id: sceneId })

/** All that checking a round takes. */
export const roundQuery = (round: string) => ({
  ...callQuery("/api/game/getBlock", { round }),
  select: (answer: Data<"/api/game/getBlock">): RoundProof => {
    if ("round" in answer) return answer
    throw new TypeError("the newest block came for a round")
  },
})

export const rulesQuery = (game: string) => callQuery("/api/basic/gameplayDesc", { game })
