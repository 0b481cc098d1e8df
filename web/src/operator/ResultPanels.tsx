import { formatAmount, formatCount } from "../lib/money.ts"
import { formatDateTime } from "../lib/time.ts"
import { Amount } from "../ui/Amount.tsx"
import { Panel } from "./Panel.tsx"
import type { Results } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { ageSince, nameOf, percentOf, productOf } from "./words.ts"

interface Props {
  of: Results
  /** The house's time. */
  now: number
}

/** What members turned over, by product and coin: from the ledger's own sums of the day. */
export function Turnover({ of, now }: Props) {
  const rows = of.turnover.filter(({ last_30_days }) => /[1-9]/.test(last_30_days))
  return (
    <Panel
      title="Turnover"
      note={`the ledger's daily sums, last posting ${ageSince(of.turnover_at, now)} ago`}
    >
      {rows.length === 0 ? (
        <p className="py-3 text-small text-t3">Nothing was turned over in 30 days.</p>
      ) : (
        <Table
          label="Turnover"
          rows={rows}
          keyOf={({ product, asset }) => `${product} ${asset}`}
          columns={[
            { head: "Product", cell: ({ product }) => productOf(product) },
            { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
            { head: "Today", right: true, cell: (row) => <Amount value={row.today} /> },
            { head: "30 days", right: true, cell: (row) => <Amount value={row.last_30_days} /> },
          ]}
        />
      )}
      <p className="mt-3 text-small text-t3">Today is the business day {of.day}, from 00:00 UTC+8.</p>
    </Panel>
  )
}

/** What settled bets were paid out of what they staked, game by game, beside what the game promises. */
export function Returns({ of, now }: Props) {
  const rows = of.returns
    .filter(({ asset, last_30_days }) => asset === "USDT" || last_30_days.bets > 0)
    .flatMap(({ today, last_30_days, ...game }) => [
      { ...game, ...today, when: "Today" },
      { ...game, ...last_30_days, when: "30 days" },
    ])
  return (
    <Panel
      title="Return to player"
      note={
        of.counted_at === null
          ? "no round with bets is settled yet"
          : `settled bets, the last counted at ${formatDateTime(of.counted_at)}`
      }
    >
      <Table
        label="Return to player"
        rows={rows}
        keyOf={({ game, asset, when }) => `${game} ${asset} ${when}`}
        columns={[
          { head: "Game", cell: ({ game }) => nameOf(game) },
          { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
          { head: "When", cell: ({ when }) => when },
          { head: "Bets", right: true, cell: ({ bets }) => formatCount(bets) },
          { head: "Staked", right: true, wide: true, cell: ({ staked }) => <Amount value={staked} /> },
          { head: "Paid", right: true, wide: true, cell: ({ paid }) => <Amount value={paid} /> },
          { head: "Returned", right: true, cell: ({ rate }) => percentOf(rate) },
          { head: "Promised", right: true, cell: ({ promised }) => percentOf(promised) },
        ]}
      />
      <p className="mt-3 text-small text-t3">
        Not in it: {openStakes(of)} in bets that wait for their draw
        {of.open_rounds > 0 && `, ${roundsOf(of, now)}`}
        {of.behind > 0 && `; ${formatCount(of.behind)} messages of the ledger still to be counted`}.
      </p>
    </Panel>
  )
}

const openStakes = ({ open_stakes }: Results) =>
  open_stakes.map(({ asset, staked }) => `${formatAmount(staked)} ${asset}`).join(" and ")

const roundsOf = ({ open_rounds, open_since }: Results, now: number) => {
  const rounds = open_rounds === 1 ? "1 round is" : `${formatCount(open_rounds)} rounds are`
  return `${rounds} over and not settled${open_since === null ? "" : `, the oldest for ${ageSince(open_since, now)}`}`
}
