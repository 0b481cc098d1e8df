import { wordsIn } from "../../lib/searched.ts"

export const VIEWS = ["play", "trend", "bets", "rules"] as const
export type View = (typeof VIEWS)[number]

export const BET_STATUSES = ["awaiting_draw", "won", "not_won", "void"] as const
export type BetStatus = (typeof BET_STATUSES)[number]

export interface RoomSearch {
  game?: string
  scene?: string
  view?: View
  status?: BetStatus
}

const NAME = /^[a-z0-9_]{1,32}$/
const SCENE = /^[a-z0-9_]{1,32}-\d{2,4}$/

/** /game1: which game, which of its scenes, which view, and which bets. */
export function validateRoom(raw: Record<string, unknown>): RoomSearch {
  const game = matching(raw.game, NAME)
  const scene = matching(raw.scene, SCENE)
  const words = wordsIn(raw, { view: VIEWS, status: BET_STATUSES })
  return { ...(game && { game }), ...(scene && { scene }), ...words }
}

function matching(value: unknown, form: RegExp): string | undefined {
  return typeof value === "string" && form.test(value) ? value : undefined
}
