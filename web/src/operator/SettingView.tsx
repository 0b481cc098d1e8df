import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Facts } from "./Facts.tsx"
import { Submission } from "./Submission.tsx"
import type { Setting } from "./shapes.ts"
import { Table } from "./Table.tsx"
import { textFrom } from "./textFrom.ts"
import { useHas } from "./useMe.ts"
import { When } from "./When.tsx"
import { grouped, typeOf } from "./words.ts"

/** One number: what it is and was, and the command for another value. */
export function SettingView({ of, onDone }: { of: Setting; onDone: () => void }) {
  const may = useHas("treasurer", "owner")
  return (
    <>
      <Facts
        of={[
          ["Value", `${grouped(of.value)} ${of.unit}`.trim()],
          ["Default", grouped(of.default)],
          ["Type", typeOf(of)],
          ["Bounds", grouped(of.bounds) || "—"],
          ["Where it comes from", of.note || "—"],
        ]}
      />
      {!of.is_changeable && (
        <Notice>
          {of.name.startsWith("signer_")
            ? "The signer keeps it: order another one under its limits."
            : "This number is fixed: it changes with a release alone."}
        </Notice>
      )}
      {of.is_changeable && may && <Another of={of} onDone={onDone} />}
      <h3 className="mt-6 mb-2 font-semibold">History</h3>
      {of.history.length === 0 ? (
        <p className="text-small text-t3">It was never changed.</p>
      ) : (
        <Table
          label="History"
          rows={of.history}
          keyOf={({ at, value }) => `${at} ${value}`}
          columns={[
            { head: "Value", cell: ({ value }) => grouped(value) },
            { head: "Since", cell: ({ at }) => <When at={at} /> },
            { head: "By", cell: ({ staff, checker }) => (checker === null ? staff : `${staff}, ${checker}`) },
            { head: "Reason", cell: ({ reason }) => reason },
          ]}
        />
      )}
    </>
  )
}

function Another({ of, onDone }: { of: Setting; onDone: () => void }) {
  const isSwitch = of.type === "switch"
  const [value, setValue] = useState(isSwitch ? otherOf(of) : "")
  const [wrong, setWrong] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const text = value.trim()
  if (isChecked)
    return (
      <Submission
        kind="setting"
        body={{ name: of.name, value: text }}
        onDone={onDone}
        onBack={() => setChecked(false)}
      />
    )
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(text === "")
        setChecked(text !== "")
      }}
    >
      {isSwitch ? (
        <Segmented label="Another value" options={SWITCH} value={value} onChange={setValue} />
      ) : (
        <Field
          label="Another value"
          inputMode="decimal"
          value={value}
          onChange={textFrom(setValue)}
          error={wrong && "Enter a number"}
          hint={`${typeOf(of)}, ${[grouped(of.bounds), of.unit].filter(Boolean).join(" ")}`}
        />
      )}
      <div className="mt-4">
        <Button submit>See what it would do</Button>
      </div>
    </Form>
  )
}

const SWITCH = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
]

/** What a switch isn't now: mostly what somebody has come for. */
const otherOf = ({ value }: Setting): string => (value === "on" ? "off" : "on")
