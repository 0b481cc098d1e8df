import type { StatementLine } from "../../lib/api.gen.ts"
import { isNegative } from "../../lib/money.ts"
import { formatDateTime, formatTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { IconName } from "../../ui/icons.ts"
import type { Target } from "../../ui/Pressable.tsx"
import { Row } from "../../ui/Row.tsx"

interface Props extends Target {
  coin: string
  row: StatementLine
  /** In a list of one coin, grouped by day: the time of day, and the balance after. */
  inDay?: boolean
  /** Decimals that all figures of the list show. */
  decimals: number
}

/** One line of a statement: why, when, how much. */
export function EntryRow({ coin, row, inDay, decimals, ...target }: Props) {
  return (
    <Row
      {...target}
      icon={
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-s2 text-t2">
          <Icon name={iconOf(row)} size={4} />
        </span>
      }
      title={row.title}
      note={inDay ? formatTime(row.time) : formatDateTime(row.time)}
      value={
        <Amount
          value={row.amount}
          sign
          private
          least={decimals}
          tone={isNegative(row.amount) ? "plain" : "up"}
        />
      }
      valueNote={inDay ? <Amount value={row.balance} private least={decimals} /> : coin}
    />
  )
}

function iconOf({ kind, amount }: StatementLine): IconName {
  if (kind.startsWith("game.")) return "play"
  return isNegative(amount) ? "up" : "down"
}
