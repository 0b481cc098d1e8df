import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Disclosure } from "../ui/Disclosure.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import type { Staff, Withdrawal } from "./shapes.ts"
import { isOf, signAs } from "./signing.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

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
  const [passphrase, setPassphrase] = useState("")
  const [wrong, setWrong] = useState<string | null>(null)
  const [unsaid, setUnsaid] = useState(false)
  const [signing, setSigning] = useState(false)
  const answer = (signature: string | null) =>
    act({ id: of.id, revision: of.revision, verdict, reason: reason.trim(), signature }, onDone)
  const sign = async () => {
    setSigning(true)
    try {
      const { publicKey, signature } = await signAs(me.name, passphrase, of.message)
      if (publicKey !== me.public_key) setWrong("This is not your signing passphrase")
      else answer(signature)
    } finally {
      setSigning(false)
    }
  }
  const submit = () => {
    const said = reason.trim() !== ""
    setUnsaid(!said)
    if (verdict === "yes" && passphrase === "") setWrong("Enter your signing passphrase")
    else if (said && verdict === "yes") void sign()
    else if (said) answer(null)
  }
  const another = !isOf(of.message, of)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(null)
        submit()
      }}
    >
      <h3 className="mt-6 mb-2 font-semibold">Your answer</h3>
      <Segmented label="Your answer" options={VERDICTS} value={verdict} onChange={setVerdict} />
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={unsaid ? "Say why: it is written down" : null}
      />
      {verdict === "yes" && (
        <>
          <PasswordField
            label="Signing passphrase"
            autoComplete="off"
            value={passphrase}
            onChange={textFrom(setPassphrase)}
            error={wrong}
            hint="It stays on this device: only the signature is sent."
          />
          <Disclosure title="What you sign">
            <pre className="overflow-x-auto rounded-chip bg-s2 p-3 font-mono text-small">{of.message}</pre>
          </Disclosure>
        </>
      )}
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      {verdict === "yes" && me.public_key === null && (
        <Notice tone="warn">You have no signing key: you can only refuse.</Notice>
      )}
      {verdict === "yes" && another && (
        <Notice tone="danger">The text to sign isn't of this withdrawal. Don't sign; tell the owner.</Notice>
      )}
      <div className="mt-5">
        <Button
          submit
          kind={verdict === "yes" ? "primary" : "danger"}
          busy={busy || signing}
          disabled={verdict === "yes" && (another || me.public_key === null)}
        >
          {verdict === "yes" ? "Sign and pay out" : "Refuse and give back"}
        </Button>
      </div>
    </Form>
  )
}
