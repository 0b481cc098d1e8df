import { formatCount } from "../lib/money.ts"
import { Amount } from "../ui/Amount.tsx"
import { Tag } from "../ui/Tag.tsx"
import { TextLink } from "../ui/TextLink.tsx"
import { Facts } from "./Facts.tsx"
import { Panel } from "./Panel.tsx"
import { SECTIONS } from "./sections.ts"
import type { Dashboard } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { ageSince, nameOf } from "./words.ts"

/** What waits for people, and the chain. */
export function Work({ of }: { of: Dashboard }) {
  return (
    <>
      <Panel title="Queues">
        <Table
          label="Queues"
          rows={of.queues}
          keyOf={({ name }) => name}
          columns={[
            { head: "Queue", cell: ({ name }) => <Queue name={name} /> },
            { head: "Waiting", right: true, cell: ({ count }) => formatCount(count) },
            {
              head: "Oldest",
              right: true,
              cell: ({ oldest_at }) => (oldest_at === null ? "—" : ageSince(oldest_at, of.at)),
            },
          ]}
        />
      </Panel>
      <Chain of={of} />
    </>
  )
}

function Queue({ name }: { name: string }) {
  const section = SECTIONS.find(({ resource }) => resource === name)
  return section ? <TextLink to={section.path}>{section.name}</TextLink> : nameOf(name)
}

function Chain({ of: { chain } }: { of: Dashboard }) {
  return (
    <Panel title="Chain">
      <Facts
        of={[
          ["Read up to block", formatCount(chain.height)],
          ["Newest block", chain.head === null ? "The nodes don't answer" : formatCount(chain.head)],
          chain.lag_blocks === null
            ? null
            : ["Behind", chain.lag_blocks === 1 ? "1 block" : `${formatCount(chain.lag_blocks)} blocks`],
          [
            "Gas of the wallet that pays",
            <span key="gas" className="inline-flex items-center gap-2">
              <Amount value={chain.gas} />
              {chain.gas_low && <Tag tone="warn">Low</Tag>}
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}
