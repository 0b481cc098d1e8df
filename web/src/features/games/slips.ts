import type { BetRow } from "../../lib/api.gen.ts"
import { closeOf, type RunningScene, secondsOf } from "../../lib/rounds.ts"

/** This scene's bets that wait, and those of the round before the present one. */
export function slipsOf(scene: RunningScene, newest: readonly BetRow[]): BetRow[] {
  const before = scene.closes_at - secondsOf(scene.scene_id) * 1000
  const known = new Map([...newest, ...scene.my_bets].map((bet) => [bet.bet_id, bet]))
  return [...known.values()]
    .filter((bet) => bet.scene_id === scene.scene_id)
    .filter((bet) => isWaiting(bet) || closeOf(bet.round) >= before)
    .sort((a, b) => b.time - a.time)
}

/** Whether its round isn't decided yet. */
export function isWaiting(bet: BetRow): boolean {
  return bet.status === "awaiting_draw"
}
