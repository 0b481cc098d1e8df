import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import { Effects } from "./Effects.tsx"
import { KeyFields } from "./KeyFields.tsx"
import type { Staff, Withdrawal } from "./shapes.ts"
import { isOf } from "./signing.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"
import { useSigned } from "./useSigned.ts"

type Verdict = "yes" | "no"
const VERDICTS = [
  { value: "yes", label: "Pay it out" },
  { value: "no", label: "Refuse it" },
] as const

interface Props {
  of: Withdrawal
  me: Staff
  onDone: () => void
}

/** A reviewer's answer: a yes is signed with the passphrase, a no gives everything back with a reason. */
export function ReviewForm({ of, me, onDone }: Props) {
  const { act, busy, problem } = useAct<Withdrawal>("reviewWithdrawal", "Your answer is in")
  const [verdict, setVerdict] = useState<Verdict>("yes")
  const [reason, setReason] = useState("")
  const key = useSigned(me)
  const [unsaid, setUnsaid] = useState(false)
  const answer = (signature: string | null) =>
    act({ id: of.id, revision: of.revision, verdict, reason: reason.trim(), signature }, onDone)
  const submit = () => {
    const said = reason.trim() !== ""
    setUnsaid(!said)
    if (verdict === "yes" && (said || key.passphrase === "")) void key.sign(of.message, answer)
    else if (said) answer(null)
  }
  const another = !isOf(of.message, of)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h3 className="mt-6 mb-2 font-semibold">Your answer</h3>
      <Segmented label="Your answer" options={VERDICTS} value={verdict} onChange={setVerdict} />
      <Effects of={of.effects} verdict={verdict} />
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={unsaid ? "Say why: it is written down" : null}
      />
      {verdict === "yes" && <KeyFields message={of.message} me={me} by={key} />}
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      {verdict === "yes" && another && (
        <Notice tone="danger">The text to sign isn't of this withdrawal. Don't sign; tell the owner.</Notice>
      )}
      <div className="mt-5">
        <Button
          submit
          kind={verdict === "yes" ? "primary" : "danger"}
          busy={busy || key.signing}
          disabled={verdict === "yes" && (another || me.public_key === null)}
        >
          {verdict === "yes" ? "Sign and pay out" : "Refuse and give back"}
        </Button>
      </div>
    </Form>
  )
}
