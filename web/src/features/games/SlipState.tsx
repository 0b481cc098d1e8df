import { Trans } from "@lingui/react/macro"
import type { BetRow } from "../../lib/api.gen.ts"
import { Amount } from "../../ui/Amount.tsx"
import { gain } from "./payout.ts"

/** How a bet stands: what it won beyond its stake, that it didn't, that it went back, or that it waits. */
export function SlipState({ bet }: { bet: BetRow }) {
  const { status, prize, amount, balance_type } = bet
  if (status === "won" && prize !== null) {
    return <Amount value={gain(prize, amount)} asset={balance_type} sign tone="gold" private />
  }
  return (
    <span className="text-small text-t3">
      {status === "not_won" ? (
        <Trans>Not won</Trans>
      ) : status === "void" ? (
        <Trans>Stake returned</Trans>
      ) : status === "awaiting_draw" ? (
        <Trans>Awaiting draw</Trans>
      ) : (
        <Trans>unknown status</Trans>
      )}
    </span>
  )
}
