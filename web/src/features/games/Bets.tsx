import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { BetRow } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { rowsOf } from "../../lib/queries.ts"
import { formatTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { NoneFound } from "../../ui/NoneFound.tsx"
import { ResultBead } from "../../ui/ResultBead.tsx"
import { Row } from "../../ui/Row.tsx"
import { useOpenedRow } from "../../ui/useOpenedRow.ts"
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

const keyOf = (bet: BetRow) => bet.bet_id

/** My bets, newest first; each opens with its block and its proof. */
export function Bets({ game, status, onStatus }: Props) {
  const { t } = useLingui()
  const bets = useInfiniteQuery({ ...betsQuery(game, status), refetchInterval: CALM_MS })
  const opened = useOpenedRow({
    sheet: "bet",
    rows: rowsOf(bets.data),
    keyOf,
    all: betsQuery(game, undefined),
    everyMs: CALM_MS,
  })
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
        keyOf={keyOf}
        dayOf={(bet) => bet.time}
        row={(bet) => <BetLine bet={bet} onPress={() => opened.open(bet)} />}
        empty={
          status === undefined ? (
            <Empty
              text={t`No bets yet. Each one will stand here with its block and its proof.`}
              action={<Button small to="/game1" search={{ game }}>{t`To the room`}</Button>}
            />
          ) : (
            <NoneFound text={t`No bets in this state.`} all={{ onPress: () => onStatus(undefined) }} />
          )
        }
      />
      {opened.row && <BetSheet bet={opened.row} />}
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
