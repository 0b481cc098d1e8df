import { Trans, useLingui } from "@lingui/react/macro"
import type { StatementLine } from "../../lib/api.gen.ts"
import { isNegative } from "../../lib/money.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Line } from "../../ui/Line.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

/** Everything that the ledger says about one movement. */
export function EntrySheet({ coin, entry }: { coin: string; entry: StatementLine }) {
  const { t } = useLingui()
  const sheet = useSheet("entry")
  return (
    <Sheet sheet={sheet} title={entry.title} footer={<More kind={entry.kind} />}>
      <p>
        <Amount
          value={entry.amount}
          asset={coin}
          display
          sign
          private
          tone={isNegative(entry.amount) ? "plain" : "up"}
        />
      </p>
      <div className="mt-4">
        <Line name={<Trans>Time</Trans>}>{formatDateTime(entry.time)}</Line>
        <Line name={<Trans>Balance after</Trans>}>
          <Amount value={entry.balance} asset={coin} private />
        </Line>
        <Line name={<Trans>Reference</Trans>}>{entry.reference}</Line>
        <div className="flex items-center justify-between">
          <span className="text-t2">
            <Trans>Entry</Trans>
          </span>
          <span className="-mr-3 flex items-center font-medium">
            {entry.id}
            <CopyButton text={entry.id} label={t`Copy the entry's number`} />
          </span>
        </div>
      </div>
    </Sheet>
  )
}

/** Where the thing behind the movement is shown. */
function More({ kind }: { kind: string }) {
  if (kind.startsWith("game.")) {
    return (
      <Button kind="quiet" to="/game1" search={{ view: "bets" }}>
        <Trans>My bets</Trans>
      </Button>
    )
  }
  if (kind.startsWith("withdrawal.")) {
    return (
      <Button kind="quiet" to="/node4" search={{ tab: "records" }}>
        <Trans>My withdrawals</Trans>
      </Button>
    )
  }
  if (!kind.startsWith("chain.")) return null
  return (
    <Button kind="quiet" to="/node3" search={{ tab: "records" }}>
      <Trans>Top-up records</Trans>
    </Button>
  )
}
