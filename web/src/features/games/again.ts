import { useNavigate, useRouterState } from "@tanstack/react-router"
import type { BetRow } from "../../lib/api.gen.ts"
import { inputForm } from "../../lib/money.ts"
import type { RunningScene } from "../../lib/rounds.ts"
import { sessionPrint } from "../../lib/session.ts"

/** What a form begins with. */
export interface Draft {
  option: string | null
  asset: string
  text: string
}

/** Go to a settled bet's room with its plate, coin and stake filled in. Nothing is sent. */
export function useBetAgain() {
  const navigate = useNavigate()
  // In the history and not in the address: nobody can send a link that fills in a stake.
  return ({ game, scene_id, option, balance_type, amount }: BetRow) =>
    void navigate({
      to: "/game1",
      search: { game, scene: scene_id },
      state: { again: { option, asset: balance_type, amount, of: sessionPrint() } },
    })
}

/**
 * Where the form of a room begins: empty, with what was left in it, or with the bet to place once more, as far as the room
 * still takes it.
 */
export function useDraft({ options, minimum }: RunningScene, left?: Draft): Draft {
  const again = useRouterState({ select: ({ location }) => location.state.again })
  const empty = { option: null, asset: Object.keys(minimum)[0] ?? "", text: "" }
  // Who logs in afterwards comes back to this step of the history as well.
  const isOwn = again?.of === sessionPrint()
  const begun = again && isOwn && again.asset in minimum ? { ...again, text: inputForm(again.amount) } : left
  if (begun === undefined || !(begun.asset in minimum)) return empty
  const { option, asset, text } = begun
  return { option: options.some((offered) => offered.option === option) ? option : null, asset, text }
}
