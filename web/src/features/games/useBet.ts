import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { type Body, call, type Data } from "../../lib/api.ts"
import { acceptDisclosure } from "../../lib/disclosures.ts"
import { buzz } from "../../lib/haptics.ts"
import { type Disclosure, type Order as Ordered, Payment } from "../../lib/payment.ts"
import { askAnew } from "../../lib/queries.ts"
import { usePayment } from "../../lib/usePayment.ts"

type Path = "/api/game/beton"
/** The page writes amounts as text; the call would take integers too. */
type Stake = Omit<Body<Path>, "request_id"> & { amount: string }
export type Order = Ordered<Stake>

// A round waits for nobody: whether to ask again is the member's choice.
const bets = new Payment<Stake, Data<Path>>(
  "bet",
  (order) => call("/api/game/beton", order, { quiet: true }),
  { waits: [], accept: acceptDisclosure },
)

/**
 * A bet in two presses: `prepare` fixes it with one request id, `send` sends exactly that; another round ends it.
 *
 * Only a notice takes longer to read than a round may last: under it the bet is for the round that is shown then.
 */
export function useBet(round: string) {
  const client = useQueryClient()
  const state = usePayment(bets, () => {
    buzz()
    askAnew(client, "/api/game/scene", "/api/game/orderList", "/api/finance/userFinance", "/api/user/info")
  })
  const { order, problem } = state
  const over = state.step === "review" && order?.round !== round
  const reading = state.disclosure !== null
  useEffect(() => {
    if (over && reading) bets.amend({ round })
    else if (over) bets.cancel()
  }, [over, reading, round])
  // A refusal mostly comes as the round turns: it is told through the next one, and goes with that.
  const told = useRef<Error | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each round
  useEffect(() => {
    const { step, problem } = bets.read()
    if (step === "form" && problem !== null && problem === told.current) bets.cancel()
    told.current = bets.read().problem
  }, [round])
  useEffect(() => {
    if (problem !== null) askAnew(client, "/api/game/scene")
  }, [problem, client])
  return {
    order,
    unanswered: state.unanswered,
    sending: state.step === "sending" || state.step === "done",
    problem,
    /** The notice that the server wants accepted with this bet. */
    notice: state.disclosure,
    prepare: (stake: Stake) => bets.review(stake),
    send: (accepted: Disclosure | null = null) => bets.confirm(accepted),
    /** The choice changed: what wasn't sent is forgotten. */
    forget: () => bets.cancel(),
    /** Cancel, or wait no longer for an answer. */
    close: () => bets.abandon(),
  }
}

export type Bet = ReturnType<typeof useBet>
