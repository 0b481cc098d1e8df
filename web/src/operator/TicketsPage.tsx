import { useState } from "react"
import { SearchField } from "../ui/SearchField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Drawer } from "./Drawer.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import type { Ticket } from "./shapes.ts"
import { TicketView } from "./TicketView.tsx"
import { useRows } from "./useRows.ts"
import { ageOf, languageOf } from "./words.ts"

const EVERY = 10_000
const ACCOUNT = /^\d{8}$/
const SHOWN = [
  { value: "open", label: "Waiting for us" },
  { value: "answered", label: "Answered" },
  { value: "closed", label: "Closed" },
] as const
const NONE = {
  open: "Nobody waits for an answer.",
  answered: "No ticket is answered.",
  closed: "None is closed.",
}

/** /operator/tickets: what members ask, who has waited longest first. */
export default function TicketsPage() {
  const [state, setState] = useState<Ticket["state"]>("open")
  const [sought, setSought] = useState("")
  const [opened, setOpened] = useState<string | null>(null)
  const account = ACCOUNT.test(sought.trim()) ? sought.trim() : null
  const listed = useRows<Ticket>("tickets", { state, ...(account && { account }) }, EVERY)
  return (
    <Page title="Customer service" about="What members ask; an answer reaches them with a mail">
      <Panel
        title="Tickets"
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
          label="Tickets"
          listed={listed}
          empty={account === null ? NONE[state] : `No such ticket of ${account}.`}
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Account", wide: true, cell: (one) => one.account },
            { head: "Subject", cell: ({ subject }) => <span className="break-words">{subject}</span> },
            { head: "Language", wide: true, cell: ({ lang }) => languageOf(lang) },
            { head: "Messages", right: true, wide: true, cell: ({ messages }) => messages },
            {
              head: state === "open" ? "Waits" : "Last written",
              right: true,
              cell: ({ age_seconds }) =>
                state === "open" ? ageOf(age_seconds) : `${ageOf(age_seconds)} ago`,
            },
          ]}
        />
      </Panel>
      <Drawer title={opened && `Ticket ${opened}`} onClose={() => setOpened(null)}>
        {opened && <TicketView key={opened} id={opened} onDone={() => setOpened(null)} />}
      </Drawer>
    </Page>
  )
}
