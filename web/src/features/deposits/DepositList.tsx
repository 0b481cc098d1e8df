import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { DepositShape } from "../../lib/api.gen.ts"
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
import { DepositSheet } from "./DepositSheet.tsx"
import { depositsQuery, isMoving } from "./queries.ts"
import type { DepositStatus } from "./search.ts"

const CONFIRMING = 2_000
const CALM = 3_000

interface Props {
  status: DepositStatus | undefined
  onStatus: (status: DepositStatus | undefined) => void
}

const keyOf = ({ id }: DepositShape) => id

/** All top-ups with their states; confirmations count up while one is on its way, and readers hear how it stands. */
export function DepositList({ status, onStatus }: Props) {
  const { t } = useLingui()
  const deposits = useInfiniteQuery({
    ...depositsQuery(status),
    refetchInterval: ({ state: { data } }) => (rowsOf(data).some(isMoving) ? CONFIRMING : CALM),
  })
  const [newest] = rowsOf(deposits.data)
  const opened = useOpenedRow({
    sheet: "deposit",
    rows: rowsOf(deposits.data),
    keyOf,
    all: depositsQuery(undefined),
    everyMs: CONFIRMING,
  })
  return (
    <>
      <div className="mt-2">
        <Chips
          label={t`Status`}
          options={[
            { value: "all", label: t`All` },
            { value: "on_chain_processing", label: t`On its way` },
            { value: "pending_review", label: t`Waiting` },
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
            <Amount value={newest.amount} asset={newest.asset} private sign />{" "}
            <StatusChip status={newest.status} />
          </>
        )}
      </p>
      <InfiniteList
        query={deposits}
        keyOf={keyOf}
        dayOf={(row) => row.time}
        row={(row) => <DepositLine row={row} onPress={() => opened.open(row)} />}
        empty={<NoDeposits onAll={status && (() => onStatus(undefined))} />}
      />
      {opened.row && <DepositSheet row={opened.row} />}
    </>
  )
}

function DepositLine({ row, onPress }: { row: DepositShape; onPress: () => void }) {
  return (
    <Row
      icon={<CoinDisc asset={row.asset} />}
      title={<Amount value={row.amount} asset={row.asset} private sign />}
      note={`${row.protocol} · ${formatTime(row.time)}`}
      value={<DepositState row={row} />}
      onPress={onPress}
    />
  )
}

export function DepositState({ row }: { row: DepositShape }) {
  return isMoving(row) ? (
    <StatusChip status={row.status} note={`${row.confirmations}/${row.required}`} />
  ) : (
    <StatusChip status={row.status} />
  )
}

/** `onAll` clears the filter that leaves nothing. */
function NoDeposits({ onAll }: { onAll: (() => void) | undefined }) {
  const { t } = useLingui()
  if (onAll) return <NoneFound text={t`No top-up in this state.`} all={{ onPress: onAll }} />
  return (
    <Empty
      text={
        <span className="flex flex-col gap-1.5 text-left">
          <span>
            <Trans>1. Send USDT to your own address.</Trans>
          </span>
          <span>
            <Trans>2. It shows here as soon as its block is read.</Trans>
          </span>
          <span>
            <Trans>3. After enough confirmations it is yours to use.</Trans>
          </span>
        </span>
      }
      action={
        <Button small to="/node3" search={{ tab: "address" }}>
          <Trans>Show my address</Trans>
        </Button>
      }
    />
  )
}
