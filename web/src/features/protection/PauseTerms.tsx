import { Trans } from "@lingui/react/macro"
import { formatDateTime } from "../../lib/time.ts"
import { Line } from "../../ui/Line.tsx"

/** What a pause stops, what goes on, and until when it lasts. */
export function PauseTerms({ until }: { until: number }) {
  return (
    <div className="mt-4 text-small">
      <Line name={<Trans>Until</Trans>}>{formatDateTime(until)}</Line>
      <p className="mt-2 text-t2">
        <Trans>Stops: betting, investing, buying citizen NFTs, machines, tickets, covers and loans.</Trans>
      </p>
      <p className="mt-2 text-t2">
        <Trans>
          Goes on: withdrawing, topping up, OTC and spot. Bets that are placed are drawn and paid as ever.
        </Trans>
      </p>
    </div>
  )
}
