import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import { Effects } from "./Effects.tsx"
import type { Deposit } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

const VERDICTS = [
  { value: "credit", label: "Credit it" },
  { value: "refuse", label: "Refuse it" },
] as const

/** What becomes of a deposit that waits, with the reason. */
export function DecisionForm({ of, onDone }: { of: Deposit; onDone: () => void }) {
  const { act, busy, problem } = useAct<Deposit>("decideDeposit", "The deposit is decided")
  const [verdict, setVerdict] = useState(of.verdicts[0])
  const [reason, setReason] = useState("")
  const [wrong, setWrong] = useState(false)
  if (verdict === undefined) return <Notice>Nothing can be decided of this deposit.</Notice>
  const options = VERDICTS.filter(({ value }) => of.verdicts.includes(value))
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(reason.trim() === "")
        if (reason.trim() !== "")
          act({ id: of.id, revision: of.revision, verdict, reason: reason.trim() }, onDone)
      }}
    >
      <h3 className="mt-6 mb-2 font-semibold">Your decision</h3>
      <Segmented label="Your decision" options={options} value={verdict} onChange={setVerdict} />
      <Effects of={of.effects} verdict={verdict} />
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={wrong ? "Say why: it is written down" : null}
      />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit kind={verdict === "credit" ? "primary" : "danger"} busy={busy}>
          {verdict === "credit" ? "Credit to the member" : "Refuse the deposit"}
        </Button>
      </div>
    </Form>
  )
}
