import { useState } from "react"
import { formatMoment } from "../lib/time.ts"
import { Button } from "../ui/Button.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { CommandView } from "./CommandView.tsx"
import { Drawer } from "./Drawer.tsx"
import { NewCommand } from "./NewCommand.tsx"
import { Page } from "./Page.tsx"
import { Panel } from "./Panel.tsx"
import { Rows } from "./Rows.tsx"
import { StateTag } from "./StateTag.tsx"
import type { Command } from "./shapes.ts"
import { useHas } from "./useMe.ts"
import { useRows } from "./useRows.ts"
import { kindOf } from "./words.ts"

const EVERY = 10_000
const SHOWN = [
  { value: "open", label: "Open" },
  { value: "all", label: "All" },
] as const

/** /operator/commands: what one person asks for and another signs. */
export default function CommandsPage() {
  const [state, setState] = useState<"open" | "all">("open")
  const [opened, setOpened] = useState<string | null>(null)
  const [isNew, setNew] = useState(false)
  const listed = useRows<Command>("commands", state === "all" ? {} : { state }, EVERY)
  const row = listed.rows?.find(({ id }) => id === opened)
  const may = useHas("treasurer", "owner")
  return (
    <Page
      title="Commands"
      about="Changes of settings, prices, switches and books: one person asks, another signs"
      action={
        may && (
          <div className="w-44">
            <Button small icon="plus" onPress={() => setNew(true)}>
              New command
            </Button>
          </div>
        )
      }
    >
      <Panel
        title="Commands"
        note={
          <span className="block w-48">
            <Segmented label="Which" options={SHOWN} value={state} onChange={setState} />
          </span>
        }
      >
        <Rows
          label="Commands"
          listed={listed}
          empty={state === "open" ? "No command waits for a signature." : "No command was made yet."}
          keyOf={({ id }) => id}
          opened={opened}
          onOpen={({ id }) => setOpened(id)}
          columns={[
            { head: "Number", cell: ({ id }) => id },
            { head: "Kind", cell: ({ kind }) => kindOf(kind) },
            { head: "Of what", wide: true, cell: ({ object }) => object },
            { head: "Asked by", cell: ({ maker }) => maker },
            { head: "Asked", right: true, wide: true, cell: ({ made_at }) => formatMoment(made_at) },
            { head: "State", right: true, cell: (one) => <StateTag state={one.state} /> },
          ]}
        />
      </Panel>
      <Drawer title={row ? `Command ${row.id}` : null} onClose={() => setOpened(null)}>
        {row && <CommandView key={row.id} of={row} onDone={() => setOpened(null)} />}
      </Drawer>
      <Drawer title={isNew ? "New command" : null} onClose={() => setNew(false)}>
        <NewCommand onDone={() => setNew(false)} />
      </Drawer>
    </Page>
  )
}
