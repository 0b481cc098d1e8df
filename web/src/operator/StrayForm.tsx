import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import type { Stray } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

const HASH = /^0x[0-9a-f]{64}$/
const VERDICTS = [
  { value: "returned", label: "It was sent back" },
  { value: "left", label: "It stays there" },
] as const

/** What became of a token that the house doesn't know: it is written down, nothing is sent by this. */
export function StrayForm({ of, onDone }: { of: Stray; onDone: () => void }) {
  const { act, busy, problem } = useAct<Stray>("decideStray", "It is written down")
  const options = VERDICTS.filter(({ value }) => value !== of.state)
  const [verdict, setVerdict] = useState<(typeof VERDICTS)[number]["value"]>(
    of.state === "left" ? "returned" : "left",
  )
  const [payment, setPayment] = useState("")
  const [reason, setReason] = useState("")
  const [sent, setSent] = useState(false)
  const hash = payment.trim().toLowerCase()
  const wrong = { payment: verdict === "returned" && !HASH.test(hash), reason: reason.trim() === "" }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (!wrong.payment && !wrong.reason)
          act(
            { id: of.id, verdict, reason: reason.trim(), ...(verdict === "returned" && { payment: hash }) },
            onDone,
          )
      }}
    >
      <h3 className="mt-6 mb-2 font-semibold">Your decision</h3>
      <Notice>
        It is in no account and nothing is credited. Whoever keeps the seed can send it back by hand; what is
        said here is kept.
      </Notice>
      <Segmented label="Your decision" options={options} value={verdict} onChange={setVerdict} />
      {verdict === "returned" && (
        <Field
          mono
          label="Transaction that sent it back"
          value={payment}
          onChange={textFrom(setPayment)}
          error={sent && wrong.payment ? "Its hash: 0x and 64 digits" : null}
          hint="It must be final and have sent at least as much of this token from this address."
        />
      )}
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={sent && wrong.reason ? "Say why: it is written down" : null}
      />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={busy}>
          Write it down
        </Button>
      </div>
    </Form>
  )
}
