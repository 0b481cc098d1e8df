import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { shortened } from "../ui/Address.tsx"
import { Amount } from "../ui/Amount.tsx"
import { Notice } from "../ui/Notice.tsx"
import { whyNotDecide } from "./answering.ts"
import { DecisionForm } from "./DecisionForm.tsx"
import { Drawer } from "./Drawer.tsx"
import { Facts } from "./Facts.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { Deposit, Staff } from "./shapes.ts"
import { useMe } from "./useMe.ts"
import { useRows } from "./useRows.ts"
import { ageOf, suspenseOf } from "./words.ts"

const EVERY = 10_000

/** /operator/deposits: what has arrived and can't be credited without a person. */
export default function DepositsPage() {
  const [opened, setOpened] = useState<string | null>(null)
  const listed = useRows<Deposit>("deposits", {}, EVERY)
  const row = listed.rows?.find(({ id }) => id === opened)
  const me = useMe()
  return (
    <Page title="Deposits in suspense" about="Top-ups that a person must decide">
      <Panel title="Queue">
        <Rows
          label="Deposits in suspense"
          listed={listed}
          empty="No deposit waits for a decision."
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Account", wide: true, cell: ({ account }) => account || "House" },
            { head: "Amount", right: true, cell: (one) => <Amount value={one.amount} asset={one.asset} /> },
            { head: "Why it waits", cell: ({ reason }) => suspenseOf(reason) },
            {
              head: "From",
              wide: true,
              cell: ({ sender }) => <span className="font-mono">{shortened(sender)}</span>,
            },
            { head: "Age", right: true, cell: ({ age_seconds }) => ageOf(age_seconds) },
          ]}
        />
      </Panel>
      <Drawer title={row ? `Deposit ${row.id}` : null} onClose={() => setOpened(null)}>
        {row && (
          <>
            <Facts
              of={[
                ["Account", row.account || "House"],
                ["Amount", <Amount key="amount" value={row.amount} asset={row.asset} />],
                ["Why it waits", suspenseOf(row.reason)],
                ["Seen", `${formatDateTime(row.seen_at)}, ${ageOf(row.age_seconds)} ago`],
                [
                  "From",
                  <span key="from" className="block text-left font-mono text-small break-all">
                    {row.sender}
                  </span>,
                ],
                [
                  "Transaction",
                  <span key="hash" className="block text-left font-mono text-small break-all">
                    {row.transaction}
                  </span>,
                ],
              ]}
            />
            <Decision of={row} me={me} onDone={() => setOpened(null)} />
          </>
        )}
      </Drawer>
    </Page>
  )
}

/** The form for who may decide it, else why it isn't theirs. */
function Decision({ of, me, onDone }: { of: Deposit; me: Staff | undefined; onDone: () => void }) {
  if (me === undefined) return null
  const why = whyNotDecide(of, me)
  return why === null ? <DecisionForm key={of.id} of={of} onDone={onDone} /> : <Notice>{why}</Notice>
}
