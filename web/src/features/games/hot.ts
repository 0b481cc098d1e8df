import type { HallAnswer, HallGame } from "../../lib/api.gen.ts"

/** The hall's games: those that most members bet in first, the rest as the server lists them. */
export function hotFirst({ list, hot }: Pick<HallAnswer, "list" | "hot">): HallGame[] {
  const place = ({ game }: HallGame) => (hot.includes(game) ? hot.indexOf(game) : hot.length)
  return [...list].sort((one, other) => place(one) - place(other))
}
