import { callQuery, pagesQuery } from "../../lib/queries.ts"
import type { BetStatus } from "./search.ts"

/** The newest bets of a game: what is still waiting, and what was decided last. */
export const newestBetsQuery = (game: string) => callQuery("game/orderList", { game, size: 10 })

export const betsQuery = (game: string, status: BetStatus | undefined) =>
  pagesQuery("game/orderList", { game, ...(status && { status }) })

/** The scene's last round that takes no more bets, drawn or not. */
export const lastRoundQuery = (sceneId: string) => callQuery("game/blockLog", { scene_id: sceneId, size: 1 })

export const pastRoundsQuery = (sceneId: string) => pagesQuery("game/blockLog", { scene_id: sceneId })

export const roundQuery = (round: string) => callQuery("game/getBlock", { round })

export const rulesQuery = (game: string) => callQuery("basic/gameplayDesc", { game })
