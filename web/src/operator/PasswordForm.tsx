import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { isWhole, NO_PROOF, ProofFields, proofOf } from "./ProofFields.tsx"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

const LEAST = 12
const MOST = 128
const NOTHING = { first: "", again: "" }

/** Another password for the console. */
export function PasswordForm() {
  const { act, busy, problem } = useAct("changePassword", "Your new password counts", { renewal: true })
  const [proof, setProof] = useState(NO_PROOF)
  const [typed, setTyped] = useState(NOTHING)
  const [tried, setTried] = useState(false)
  const fits = typed.first.length >= LEAST && typed.first.length <= MOST
  const alike = typed.first === typed.again
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isWhole(proof) || !fits || !alike) return
        act({ ...proofOf(proof), new_password: typed.first }, () => {
          setProof(NO_PROOF)
          setTyped(NOTHING)
          setTried(false)
        })
      }}
    >
      <PasswordField
        label="New password"
        autoComplete="new-password"
        value={typed.first}
        onChange={textFrom((first) => setTyped({ ...typed, first }))}
        error={tried && !fits && `A password has ${LEAST} to ${MOST} characters`}
        hint={`At least ${LEAST} characters.`}
      />
      <PasswordField
        label="New password once more"
        autoComplete="new-password"
        value={typed.again}
        onChange={textFrom((again) => setTyped({ ...typed, again }))}
        error={tried && !alike && "The two aren't alike"}
      />
      <ProofFields value={proof} onChange={setProof} tried={tried} />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={busy}>
          Change the password
        </Button>
      </div>
    </Form>
  )
}
