import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { isWhole, NO_PROOF, ProofFields, proofOf } from "./ProofFields.tsx"
import { queryClient } from "./refine.ts"
import type { Staff } from "./shapes.ts"
import { proveKey } from "./signing.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

const LEAST = 15
const NOTHING = { first: "", again: "" }

/** Another signing passphrase: its key is made on this device, and the house is told the public half. */
export function KeyForm({ me }: { me: Staff }) {
  const { act, busy, problem } = useAct<Staff>("changeKey", "Your new signing key is known", {
    renewal: true,
  })
  const [proof, setProof] = useState(NO_PROOF)
  const [typed, setTyped] = useState(NOTHING)
  const [tried, setTried] = useState(false)
  const [making, setMaking] = useState(false)
  const [same, setSame] = useState(false)
  const [known, setKnown] = useState<string | null>(null)
  const fits = typed.first.length >= LEAST
  const alike = typed.first === typed.again
  const change = async () => {
    setMaking(true)
    try {
      const { publicKey, signature } = await proveKey(me.name, typed.first)
      setSame(publicKey === me.public_key)
      if (publicKey === me.public_key) return
      act({ ...proofOf(proof), public_key: publicKey, signature }, (staff) => {
        queryClient.setQueryData(["me"], staff)
        void queryClient.invalidateQueries()
        setProof(NO_PROOF)
        setTyped(NOTHING)
        setTried(false)
        setKnown(staff.public_key)
      })
    } finally {
      setMaking(false)
    }
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        setKnown(null)
        if (isWhole(proof) && fits && alike) void change()
      }}
    >
      <PasswordField
        label="New signing passphrase"
        autoComplete="off"
        value={typed.first}
        onChange={textFrom((first) => setTyped({ ...typed, first }))}
        error={
          (tried && !fits && `A passphrase has at least ${LEAST} characters`) ||
          (same && "This is the passphrase that you have")
        }
        hint="Several words that don't belong together. It stays on this device."
      />
      <PasswordField
        label="New passphrase once more"
        autoComplete="off"
        value={typed.again}
        onChange={textFrom((again) => setTyped({ ...typed, again }))}
        error={tried && !alike && "The two aren't alike"}
      />
      <ProofFields value={proof} onChange={setProof} tried={tried} />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      {known !== null && (
        <Notice tone="warn">
          The signer doesn't trust it yet: show your new public key to whoever runs it, in person.
        </Notice>
      )}
      <div className="mt-5">
        <Button submit busy={busy || making}>
          Change the passphrase
        </Button>
      </div>
    </Form>
  )
}
