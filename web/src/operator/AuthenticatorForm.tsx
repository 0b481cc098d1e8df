import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Qr } from "../ui/Qr.tsx"
import { isWhole, NO_PROOF, ProofFields, proofOf } from "./ProofFields.tsx"
import type { NewAuthenticator } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

/** Another authenticator: shown for the old one's code, and counting from its own first code on. */
export function AuthenticatorForm() {
  const { act, busy, problem } = useAct<NewAuthenticator>("newAuthenticator", null, { renewal: true })
  const [proof, setProof] = useState(NO_PROOF)
  const [tried, setTried] = useState(false)
  const [shown, setShown] = useState<NewAuthenticator | null>(null)
  if (shown !== null) return <FirstCode of={shown} onDone={() => setShown(null)} />
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isWhole(proof)) return
        act(proofOf(proof), (answer) => {
          setProof(NO_PROOF)
          setTried(false)
          setShown(answer)
        })
      }}
    >
      <ProofFields value={proof} onChange={setProof} tried={tried} />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={busy}>
          Show a new secret
        </Button>
      </div>
    </Form>
  )
}

function FirstCode({ of, onDone }: { of: NewAuthenticator; onDone: () => void }) {
  const { act, busy, problem } = useAct("bindAuthenticator", "Your new authenticator counts", {
    renewal: true,
  })
  const [code, setCode] = useState("")
  const [tried, setTried] = useState(false)
  const digits = code.replaceAll(" ", "")
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (digits !== "") act({ code: digits }, onDone)
      }}
    >
      <p className="mb-4 text-small text-t2">
        Scan it with the new authenticator, or type the secret. It is shown this once, and your old
        authenticator counts until you have entered the new one's first code.
      </p>
      <Qr text={of.otpauth} label="The secret for your authenticator" />
      <p className="mt-4 flex items-center gap-2">
        <code className="min-w-0 font-mono text-small break-all">{of.secret}</code>
        <CopyButton text={of.secret} label="Copy the secret" />
      </p>
      <Field
        label="First code of the new authenticator"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={textFrom(setCode)}
        error={tried && digits === "" && "Enter the six digits that the new authenticator shows"}
        hint="Within ten minutes."
      />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={busy}>
          Use the new authenticator
        </Button>
      </div>
      <div className="mt-2">
        <Button kind="text" small onPress={onDone}>
          Keep the old one
        </Button>
      </div>
    </Form>
  )
}
