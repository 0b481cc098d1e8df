import { serverNow } from "../lib/clock.ts"
import type { RunningScene } from "../lib/rounds.ts"

/** A room of odd and even that takes bets for a while yet. */
export const openScene = (part: Partial<RunningScene> = {}): RunningScene => ({
  scene_id: "odd_even-60",
  game: "odd_even",
  round: "odd_even-60-1763740800",
  state: "open",
  opens_at: serverNow() - 10_000,
  closes_at: serverNow() + 50_000,
  height: 1,
  server_time: serverNow(),
  options: ["odd", "even"].map((option) => ({ option, chance: "0.5", multiple: "1.95", profit: "0.95" })),
  minimum: { USDT: "1", KLS: "1" },
  maximum: { USDT: "100", KLS: "100" },
  room: { odd: { USDT: "1000" } },
  my_bets: [],
  results: [],
  return_to_player: "0.975",
  betting_closed: null,
  ...part,
})
