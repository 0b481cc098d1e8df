import { useState } from "react"
import { Amount } from "../ui/Amount.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Drawer } from "./Drawer.tsx"
import { Panel } from "./Panel.tsx"
import { Submission } from "./Submission.tsx"
import type { Settings } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { textFrom } from "./textFrom.ts"
import { useHas } from "./useMe.ts"

type Limit = Settings["signer"][number]
const NAMES: Record<Limit["limit"], string> = {
  auto_max: "Most that nobody signs for",
  two_reviewers: "From here on two sign",
  hour: "Within an hour",
  day: "Within a day",
}

/** The signer's own limits as it says them, and the command for another one. */
export function SignerLimits({ of }: { of: Settings }) {
  const [opened, setOpened] = useState<Limit["limit"] | null>(null)
  const row = of.signer.find(({ limit }) => limit === opened)
  return (
    <Panel title="The signer's limits" note="it holds every withdrawal against them by itself">
      {of.signer_refused !== null && (
        <Notice tone="danger">
          The signer didn't follow order {of.signer_order}: {of.signer_refused}.
        </Notice>
      )}
      {of.signer.length === 0 ? (
        <p className="py-3 text-small text-t3">The signer hasn't said anything yet.</p>
      ) : (
        <Table
          label="The signer's limits"
          rows={of.signer}
          keyOf={({ limit }) => limit}
          opened={opened}
          onOpen={({ limit }) => setOpened(limit)}
          columns={[
            { head: "Limit", cell: ({ limit }) => NAMES[limit] },
            { head: "Value", right: true, cell: ({ value }) => <Amount value={value} asset="USDT" /> },
          ]}
        />
      )}
      <Drawer title={row ? NAMES[row.limit] : null} onClose={() => setOpened(null)}>
        {row && <Another key={row.limit} of={row} onDone={() => setOpened(null)} />}
      </Drawer>
    </Panel>
  )
}

function Another({ of, onDone }: { of: Limit; onDone: () => void }) {
  const may = useHas("treasurer", "owner")
  const [value, setValue] = useState("")
  const [wrong, setWrong] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const text = value.trim()
  if (!may) return <Notice>Treasurers and the owner change it; you can read it.</Notice>
  if (isChecked)
    return (
      <Submission
        kind="signer_limit"
        body={{ limit: of.limit, value: text }}
        onDone={onDone}
        onBack={() => setChecked(false)}
      />
    )
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(!/^\d+$/.test(text))
        setChecked(/^\d+$/.test(text))
      }}
    >
      <Field
        label="Another value"
        inputMode="numeric"
        value={value}
        onChange={textFrom(setValue)}
        error={wrong && "Enter a whole number of USDT"}
        hint="In whole USDT. You and a second person sign it with keys that the signer knows."
      />
      <div className="mt-4">
        <Button submit>See what it would do</Button>
      </div>
    </Form>
  )
}
