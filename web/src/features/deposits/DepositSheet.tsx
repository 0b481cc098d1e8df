import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { DepositShape } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Line } from "../../ui/Line.tsx"
import { OutsideButton } from "../../ui/OutsideButton.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { StepCells } from "../../ui/StepCells.tsx"
import { DepositState } from "./DepositList.tsx"
import { chainsQuery, isMoving } from "./queries.ts"

/** One top-up in full: state, block, confirmations, hash, and the way to an explorer where the chain has one. */
export function DepositSheet({ row }: { row: DepositShape }) {
  const { t } = useLingui()
  const sheet = useSheet("deposit")
  const chains = useQuery(chainsQuery())
  const explorer = chains.data?.list.find(({ protocol }) => protocol === row.protocol)?.explorer
  const reasons: Record<string, string> = {
    below_minimum: t`Below the minimum: credited when the sum at your address reaches it.`,
    listed_sender: t`The address that it came from must be looked at by a person first. Customer service can tell you more.`,
    other_asset: t`This coin can't be topped up here and may be lost.`,
    orphaned: t`Its block left the chain. If the transaction comes in another block, it is recorded anew.`,
    reverted: t`The transaction failed on the chain; nothing arrived.`,
    repeated: t`This transaction was credited already.`,
  }
  return (
    <Sheet
      sheet={sheet}
      title={t`Top-up`}
      footer={
        explorer && (
          <OutsideButton href={`${explorer.replace(/\/$/, "")}/tx/${row.hash}`}>
            <Trans>Open in the explorer</Trans>
          </OutsideButton>
        )
      }
    >
      <p>
        <Amount value={row.amount} asset={row.asset} display private sign />
      </p>
      <p className="mt-2">
        <DepositState row={row} />
      </p>
      {row.reason !== null && <p className="mt-3 text-small text-t2">{reasons[row.reason] ?? row.reason}</p>}
      {isMoving(row) && (
        <div className="mt-4">
          <StepCells done={row.confirmations} all={row.required} />
          <p className="mt-2 text-small text-t3">
            <Trans>
              {row.confirmations} of{" "}
              <Plural value={row.required} one="# confirmation" other="# confirmations" />
            </Trans>
          </p>
        </div>
      )}
      <div className="mt-4">
        <Line name={<Trans>Seen</Trans>}>{formatDateTime(row.time)}</Line>
        <Line name={<Trans>Network</Trans>}>{row.protocol}</Line>
        <Line name={<Trans>Block</Trans>}>
          <span className="font-mono">{formatCount(row.block)}</span>
        </Line>
        <div className="mt-2 flex items-center justify-between text-t2">
          <Trans>Transaction</Trans>
          <span className="-mr-3">
            <CopyButton text={row.hash} label={t`Copy the hash`} />
          </span>
        </div>
        <p className="font-mono text-small break-all text-t1">{row.hash}</p>
      </div>
    </Sheet>
  )
}
