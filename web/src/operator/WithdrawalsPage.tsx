import { useState } from "react"
import { Amount } from "../ui/Amount.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { StatusChip } from "../ui/StatusChip.tsx"
import { Drawer } from "./Drawer.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { Withdrawal } from "./shapes.ts"
import { useRows } from "./useRows.ts"
import { WithdrawalView } from "./WithdrawalView.tsx"
import { ageOf, riskOf } from "./words.ts"

const EVERY = 10_000
const SHOWN = [
  { value: "pending_review", label: "To review" },
  { value: "on_chain_processing", label: "Sending" },
  { value: "approved", label: "Paid" },
  { value: "refused", label: "Refused" },
  { value: "failed", label: "Failed" },
] as const

/** /operator/withdrawals: what waits for a reviewer, the oldest first, and what became of the rest. */
export default function WithdrawalsPage() {
  const [status, setStatus] = useState<(typeof SHOWN)[number]["value"]>("pending_review")
  const [opened, setOpened] = useState<string | null>(null)
  const listed = useRows<Withdrawal>("withdrawals", { status }, EVERY)
  const row = listed.rows?.find(({ id }) => id === opened)
  return (
    <Page title="Withdrawals" about="Each with what speaks against paying it out unseen">
      <Panel
        title="Queue"
        note={
          <span className="block w-[28rem] max-w-full">
            <Segmented label="Which" options={SHOWN} value={status} onChange={setStatus} />
          </span>
        }
      >
        <Rows
          label="Withdrawals"
          listed={listed}
          empty={status === "pending_review" ? "No withdrawal waits for a review." : "No withdrawals."}
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Account", wide: true, cell: ({ account }) => account },
            { head: "Amount", right: true, cell: (one) => <Amount value={one.amount} asset={one.asset} /> },
            {
              head: "Value",
              right: true,
              wide: true,
              cell: (one) => <Amount value={one.value} asset="USDT" />,
            },
            {
              head: "Risks",
              wide: true,
              cell: ({ risks }) => risks.map(({ reason }) => riskOf(reason)).join("; ") || "—",
            },
            {
              head: "Reviews",
              right: true,
              wide: true,
              cell: ({ reviews, needed }) =>
                `${reviews.filter(({ verdict, counts }) => verdict === "yes" && counts).length} of ${needed}`,
            },
            { head: "Status", wide: true, cell: (one) => <StatusChip status={one.status} /> },
            { head: "Age", right: true, cell: ({ age_seconds }) => ageOf(age_seconds) },
          ]}
        />
      </Panel>
      <Drawer title={row ? `Withdrawal ${row.id}` : null} onClose={() => setOpened(null)}>
        {row && <WithdrawalView key={row.id} of={row} onDone={() => setOpened(null)} />}
      </Drawer>
    </Page>
  )
}
