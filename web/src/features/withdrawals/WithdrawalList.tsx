import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { rowsOf } from "../../lib/queries.ts"
import { formatTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { NoneFound } from "../../ui/NoneFound.tsx"
import { Row } from "../../ui/Row.tsx"
import { StatusChip } from "../../ui/StatusChip.tsx"
import { useOpenedRow } from "../../ui/useOpenedRow.ts"
import { isMoving, type WithdrawalRow, withdrawalsQuery } from "./queries.ts"
import type { Coin, WithdrawalStatus } from "./search.ts"
import { WithdrawalSheet } from "./WithdrawalSheet.tsx"

interface Props {
  coin: Coin
  status: WithdrawalStatus | undefined
  onStatus: (status: WithdrawalStatus | undefined) => void
}

export const MOVING_MS = 2_000
export const CALM_MS = 15_000

const keyOf = ({ id }: WithdrawalRow) => id

/** All withdrawals of a coin with their states; readers hear how the newest one stands. */
export function WithdrawalList({ coin, status, onStatus }: Props) {
  const { t } = useLingui()
  const withdrawals = useInfiniteQuery({
    ...withdrawalsQuery(coin, status),
    refetchInterval: ({ state: { data } }) => (rowsOf(data).some(isMoving) ? MOVING_MS : CALM_MS),
  })
  const [newest] = rowsOf(withdrawals.data)
  const opened = useOpenedRow({
    sheet: "withdrawal",
    rows: rowsOf(withdrawals.data),
    keyOf,
    all: withdrawalsQuery(coin),
    everyMs: MOVING_MS,
  })
  return (
    <>
      <div className="mt-1">
        <Chips
          label={t`Status`}
          options={[
            { value: "all", label: t`All` },
            { value: "pending_review", label: t`Pending review` },
            {
              value: "on_chain_processing",
              label: t({ message: "On its way", context: "to the member's own address" }),
            },
            { value: "approved", label: t`Approved` },
            { value: "refused", label: t`Refused` },
            { value: "failed", label: t`Failed` },
          ]}
          value={status ?? "all"}
          onChange={(value) => onStatus(value === "all" ? undefined : value)}
        />
      </div>
      <p role="status" className="sr-only">
        {newest && (
          <>
            <Amount value={newest.amount} asset={newest.asset} private />{" "}
            <StatusChip status={newest.status} />
          </>
        )}
      </p>
      <InfiniteList
        query={withdrawals}
        keyOf={keyOf}
        dayOf={({ requested_at }) => requested_at}
        row={(row) => <WithdrawalLine row={row} onPress={() => opened.open(row)} />}
        empty={<NoWithdrawals coin={coin} onAll={status && (() => onStatus(undefined))} />}
      />
      {opened.row && <WithdrawalSheet row={opened.row} />}
    </>
  )
}

function WithdrawalLine({ row, onPress }: { row: WithdrawalRow; onPress: () => void }) {
  const returned = row.status === "refused" || row.status === "failed"
  return (
    <Row
      icon={<CoinDisc asset={row.asset} />}
      title={<Amount value={row.amount} asset={row.asset} private least={0} />}
      note={`${row.label} · ${formatTime(row.requested_at)}`}
      value={
        row.status === "on_chain_processing" ? (
          <StatusChip status={row.status} note={`${row.confirmations}/${row.required}`} />
        ) : (
          <StatusChip status={row.status} />
        )
      }
      valueNote={returned ? <Trans>Given back</Trans> : undefined}
      onPress={onPress}
    />
  )
}

/** `onAll` clears the filter that leaves nothing. */
function NoWithdrawals({ coin, onAll }: { coin: Coin; onAll: (() => void) | undefined }) {
  const { t } = useLingui()
  if (onAll) return <NoneFound text={t`No withdrawal in this state.`} all={{ onPress: onAll }} />
  return (
    <Empty
      text={t`No withdrawal of ${coin} yet.`}
      action={
        <Button small to="/node4" search={{ coin }}>
          <Trans>Withdraw</Trans>
        </Button>
      }
    />
  )
}
