import { ServerError } from "../lib/api.ts"
import { formatDateTime } from "../lib/time.ts"
import { Amount } from "../ui/Amount.tsx"
import { Failed } from "../ui/Failed.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Tag } from "../ui/Tag.tsx"
import { Jobs } from "./Jobs.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Returns, Turnover } from "./ResultPanels.tsx"
import { StopMoneyOut } from "./StopMoneyOut.tsx"
import type { Dashboard } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { useAsked } from "./useAsked.ts"
import { Work } from "./Work.tsx"
import { ageSince } from "./words.ts"

const EVERY = 15_000

/** /operator: whether the house has what it owes, and what waits for somebody. */
export default function DashboardPage() {
  const { data, problem, again } = useAsked<Dashboard>("dashboard", { every: EVERY })
  return (
    <Page
      title="Dashboard"
      about={data ? `As of ${formatDateTime(data.at)}` : "What the house has, owes and waits for"}
    >
      {problem && <Failed problem={problem instanceof ServerError ? null : problem} onRetry={again} />}
      {data ? <Figures of={data} /> : !problem && <Skeleton lines={8} />}
    </Page>
  )
}

function Figures({ of }: { of: Dashboard }) {
  return (
    <>
      {of.money_out.stopped && (
        <Notice tone="danger">
          <strong className="font-semibold">Money out is stopped.</strong> {of.money_out.reason}
        </Notice>
      )}
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 desk:grid-cols-2">
        <div className="desk:col-span-2">
          <Reserves of={of} />
        </div>
        <div className="desk:col-span-2">
          <Returns of={of.results} now={of.at} />
        </div>
        <div className="desk:col-span-2">
          <Turnover of={of.results} now={of.at} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Work of={of} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Bankroll of={of} />
          <Prices of={of} />
          {!of.money_out.stopped && <StopMoneyOut />}
        </div>
        <div className="desk:col-span-2">
          <Payables of={of} />
        </div>
        <div className="desk:col-span-2">
          <Jobs of={of} />
        </div>
      </div>
    </>
  )
}

function Reserves({ of }: { of: Dashboard }) {
  if (of.assets.length === 0)
    return (
      <Panel title="Liabilities and reserves">
        <p className="py-3 text-small text-t3">The chain is being looked at: figures come within a minute.</p>
      </Panel>
    )
  return (
    <Panel title="Liabilities and reserves">
      <Table
        label="Liabilities and reserves"
        rows={of.assets}
        keyOf={({ asset }) => asset}
        columns={[
          { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
          { head: "Liabilities", right: true, cell: (row) => <Amount value={row.liabilities} /> },
          { head: "Reserves", right: true, cell: (row) => <Amount value={row.reserves} /> },
          { head: "Hot", right: true, wide: true, cell: (row) => <Amount value={row.hot} /> },
          { head: "Cold", right: true, wide: true, cell: (row) => <Amount value={row.cold} /> },
          {
            head: "Deposit addresses",
            right: true,
            wide: true,
            cell: (row) => <Amount value={row.deposits} />,
          },
          {
            head: "State",
            right: true,
            cell: ({ covered }) => <Tag tone={covered ? "up" : "down"}>{covered ? "Covered" : "Short"}</Tag>,
          },
        ]}
      />
    </Panel>
  )
}

function Bankroll({ of }: { of: Dashboard }) {
  return (
    <Panel title="Bankroll" note="what open rounds may cost is set aside">
      <Table
        label="Bankroll"
        rows={of.bankroll}
        keyOf={({ asset }) => asset}
        columns={[
          { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
          { head: "Free", right: true, cell: (row) => <Amount value={row.available} /> },
          { head: "Exposure", right: true, cell: (row) => <Amount value={row.reserved} /> },
        ]}
      />
    </Panel>
  )
}

function Prices({ of }: { of: Dashboard }) {
  return (
    <Panel title="Prices">
      {of.prices.length === 0 ? (
        <p className="py-3 text-small text-t3">No price was ordered yet.</p>
      ) : (
        <Table
          label="Prices"
          rows={of.prices}
          keyOf={({ asset }) => asset}
          columns={[
            { head: "Coin", cell: ({ asset }) => <strong className="font-medium">{asset}</strong> },
            { head: "Price", right: true, cell: ({ rate }) => <Amount value={rate} asset="USDT" /> },
            { head: "Since", right: true, wide: true, cell: ({ at }) => formatDateTime(at) },
            {
              head: "State",
              right: true,
              cell: ({ is_stale }) => (
                <Tag tone={is_stale ? "warn" : "quiet"}>{is_stale ? "Stale" : "Valid"}</Tag>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}

function Payables({ of }: { of: Dashboard }) {
  return (
    <Panel title="Payables" note="what the house has promised and not paid yet">
      {of.payables.length === 0 ? (
        <p className="py-3 text-small text-t3">Nothing waits to be paid.</p>
      ) : (
        <Table
          label="Payables"
          rows={of.payables}
          keyOf={({ account, asset }) => `${account} ${asset}`}
          columns={[
            { head: "Account", cell: ({ account }) => account.replaceAll("_", " ") },
            { head: "Amount", right: true, cell: (row) => <Amount value={row.amount} asset={row.asset} /> },
            { head: "Number", right: true, cell: ({ count }) => count },
            {
              head: "Oldest",
              right: true,
              cell: ({ oldest_at }) => ageSince(oldest_at, of.at),
            },
          ]}
        />
      )}
    </Panel>
  )
}
