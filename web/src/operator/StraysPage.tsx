import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { shortened } from "../ui/Address.tsx"
import { Notice } from "../ui/Notice.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { whyNotWrite } from "./answering.ts"
import { Drawer } from "./Drawer.tsx"
import { Facts } from "./Facts.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import { StrayForm } from "./StrayForm.tsx"
import type { Staff, Stray } from "./shapes.ts"
import { useMe } from "./useMe.ts"
import { useRows } from "./useRows.ts"
import { ageOf, grouped } from "./words.ts"

const EVERY = 10_000
const ACCOUNT = /^\d{8}$/
const SHOWN = [
  { value: "open", label: "To decide" },
  { value: "returned", label: "Sent back" },
  { value: "left", label: "Left there" },
] as const
const NONE = {
  open: "No other token waits for a decision.",
  returned: "None was sent back.",
  left: "None was left where it is.",
}

const mono = (text: string) => <span className="font-mono">{text}</span>
const whole = (text: string) => <span className="block text-left font-mono text-small break-all">{text}</span>

/** /operator/strays: tokens that the house doesn't know at its members' addresses. Their own names are never shown. */
export default function StraysPage() {
  const [state, setState] = useState<Stray["state"]>("open")
  const [opened, setOpened] = useState<string | null>(null)
  const [sought, setSought] = useState("")
  const account = ACCOUNT.test(sought.trim()) ? sought.trim() : null
  const listed = useRows<Stray>("strays", { state, ...(account && { account }) }, EVERY)
  const row = listed.rows?.find(({ id }) => id === opened)
  const me = useMe()
  return (
    <Page title="Other tokens" about="What came to members' addresses and is in no account">
      <Panel
        title="Tokens"
        note={
          <span className="block w-80 max-w-full">
            <Segmented label="Which" options={SHOWN} value={state} onChange={setState} />
          </span>
        }
      >
        <div className="mb-3 max-w-80">
          <SearchField label="Account of a member" value={sought} onChange={setSought} />
        </div>
        <Rows
          label="Other tokens"
          listed={listed}
          empty={account === null ? NONE[state] : `No such token of ${account}.`}
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Account", cell: ({ account }) => account || "House" },
            { head: "Contract", cell: ({ contract }) => mono(shortened(contract)) },
            {
              head: "Smallest units",
              right: true,
              wide: true,
              cell: ({ units }) => <span className="break-all">{grouped(units)}</span>,
            },
            { head: "Age", right: true, cell: ({ age_seconds }) => ageOf(age_seconds) },
          ]}
        />
      </Panel>
      <Drawer title={row ? `Token ${row.id}` : null} onClose={() => setOpened(null)}>
        {row && (
          <>
            <Facts
              of={[
                ["Account", row.account || "House"],
                ["Contract", whole(row.contract)],
                ["Smallest units", whole(grouped(row.units))],
                ["Chain", String(row.chain_id)],
                ["From", whole(row.sender)],
                ["At", whole(row.address)],
                ["Transaction", whole(row.transaction)],
                ["Seen", `${formatDateTime(row.seen_at)}, ${ageOf(row.age_seconds)} ago`],
                row.decided_at === null
                  ? null
                  : ["Decided", `${formatDateTime(row.decided_at)}, ${row.staff ?? ""}`],
                row.reason === null ? null : ["Reason", row.reason],
                row.payment === null ? null : ["Sent back by", whole(row.payment)],
              ]}
            />
            {row.listed && (
              <Notice tone="danger">
                The list of sanctions has its sender: ask the office before anything is sent.
              </Notice>
            )}
            {row.state !== "returned" && <Decision of={row} me={me} onDone={() => setOpened(null)} />}
          </>
        )}
      </Drawer>
    </Page>
  )
}

/** The form for who may decide it, else why it isn't theirs. */
function Decision({ of, me, onDone }: { of: Stray; me: Staff | undefined; onDone: () => void }) {
  if (me === undefined) return null
  const why = whyNotWrite(of, me)
  return why === null ? <StrayForm key={of.id} of={of} onDone={onDone} /> : <Notice>{why}</Notice>
}
