import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { Address } from "../../ui/Address.tsx"
import { Amount } from "../../ui/Amount.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Line } from "../../ui/Line.tsx"
import { OutsideButton } from "../../ui/OutsideButton.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { StatusChip } from "../../ui/StatusChip.tsx"
import { Progress } from "./Progress.tsx"
import { chainsQuery, type WithdrawalRow } from "./queries.ts"

/** One withdrawal in full: its course, its address, its cost, its transaction. */
export function WithdrawalSheet({ row }: { row: WithdrawalRow }) {
  const { t } = useLingui()
  const sheet = useSheet("withdrawal")
  return (
    <Sheet
      sheet={sheet}
      title={t`Withdrawal`}
      footer={
        row.explorer !== null && (
          <OutsideButton href={row.explorer}>
            <Trans>Open in the explorer</Trans>
          </OutsideButton>
        )
      }
    >
      <p>
        <Amount value={row.amount} asset={row.asset} display private least={0} />
      </p>
      <p className="mt-2 mb-4">
        <StatusChip status={row.status} />
      </p>
      <Progress row={row} />
      <div className="mt-5">
        <Whereto row={row} />
        <div className="mt-3">
          <Line name={<Trans>Fee</Trans>}>
            <Amount value={row.fee} asset={row.fee_asset} least={0} private />
          </Line>
          <Line name={<Trans>Number</Trans>}>
            <span className="font-mono text-small">{row.id}</span>
          </Line>
        </div>
        <Transaction hash={row.transaction} />
      </div>
    </Sheet>
  )
}

/** The address under its name, with its network. */
export function Whereto({
  row: { label, address, chain },
}: {
  row: Pick<WithdrawalRow, "label" | "address" | "chain">
}) {
  const chains = useQuery(chainsQuery())
  const known = chains.data?.list.find(({ chain_id }) => chain_id === chain)
  return (
    <>
      <p className="font-semibold break-words">
        <Trans>To {label}</Trans>
      </p>
      <Address address={address} network={known ? `${known.name} · ${known.protocol}` : `${chain}`} />
    </>
  )
}

/** The transaction that paid it, as soon as there is one. */
export function Transaction({ hash }: { hash: string | null }) {
  const { t } = useLingui()
  if (hash === null) return null
  return (
    <>
      <div className="mt-2 flex items-center justify-between text-t2">
        <Trans>Transaction</Trans>
        <span className="-mr-3">
          <CopyButton text={hash} label={t`Copy the hash`} />
        </span>
      </div>
      <p className="font-mono text-small break-all text-t1">{hash}</p>
    </>
  )
}
