import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { BetRow } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { rowsOf } from "../../lib/queries.ts"
import { formatTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { ResultBead } from "../../ui/ResultBead.tsx"
import { Row } from "../../ui/Row.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { BetSheet } from "./BetSheet.tsx"
import { betsQuery } from "./queries.ts"
import { SlipState } from "./SlipState.tsx"
import type { BetStatus } from "./search.ts"
import { useWords } from "./words.ts"

interface Props {
  game: string
  status: BetStatus | undefined
  onStatus: (status: BetStatus | undefined) => void
}

const CALM_MS = 10_000

/** My bets, newest first; each opens with its block and its proof. */
export function Bets({ game, status, onStatus }: Props) {
  const { t } = useLingui()
  const bets = useInfiniteQuery({ ...betsQuery(game, status), refetchInterval: CALM_MS })
  const [opened, setOpened] = useState<BetRow>()
  const detail = useSheet("bet", opened !== undefined)
  const isOpened = (row: BetRow) => row.bet_id === opened?.bet_id
  const listed = rowsOf(bets.data).find(isOpened)
  // What has become of it may have taken it out of this list: then it is followed among all.
  const all = useInfiniteQuery({
    ...betsQuery(game, undefined),
    enabled: detail.shown && listed === undefined,
    refetchInterval: CALM_MS,
  })
  const shown = listed ?? rowsOf(all.data).find(isOpened) ?? opened
  return (
    <>
      <div className="mt-2">
        <Chips
          label={t`Status`}
          options={[
            { value: "all", label: t`All` },
            { value: "awaiting_draw", label: t`Awaiting draw` },
            { value: "won", label: t`Won` },
            { value: "not_won", label: t`Not won` },
            { value: "void", label: t`Returned` },
          ]}
          value={status ?? "all"}
          onChange={(value) => onStatus(value === "all" ? undefined : value)}
        />
      </div>
      <InfiniteList
        query={bets}
        keyOf={(bet) => bet.bet_id}
        dayOf={(bet) => bet.time}
        row={(bet) => (
          <BetLine
            bet={bet}
            onPress={() => {
              setOpened(bet)
              detail.show()
            }}
          />
        )}
        empty={
          status === undefined ? (
            <Empty
              text={t`No bets yet. Each one will stand here with its block and its proof.`}
              action={<Button small to="/game1" search={{ game }}>{t`To the room`}</Button>}
            />
          ) : (
            <Empty text={t`No bets in this state.`} />
          )
        }
      />
      {shown && <BetSheet bet={shown} />}
    </>
  )
}

function BetLine({ bet, onPress }: { bet: BetRow; onPress: () => void }) {
  const words = useWords()
  return (
    <Row
      icon={<ResultBead digit={bet.status === "void" ? null : bet.digit} />}
      title={
        <Trans>
          <Amount value={bet.amount} asset={bet.balance_type} least={0} private /> on{" "}
          {words.optionInSentence(bet.option)}
        </Trans>
      }
      note={
        <Trans>
          Block {formatCount(bet.height)} · {formatTime(bet.time)}
        </Trans>
      }
      value={<SlipState bet={bet} />}
      onPress={onPress}
    />
  )
}
