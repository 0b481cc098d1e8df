import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import type { Member } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"

/** Freezing an account, or opening it, with the reason; what follows stands before the button. */
export function MemberAct({ of }: { of: Member }) {
  const freeze = useAct<Member>("freezeMember", "The account is frozen")
  const open = useAct<Member>("openMember", "The account is open")
  const [reason, setReason] = useState("")
  const [wrong, setWrong] = useState(false)
  const problem = freeze.problem ?? open.problem
  const act = (which: typeof freeze, shown = {}) => {
    setWrong(reason.trim() === "")
    if (reason.trim() !== "")
      which.act({ account: of.account, reason: reason.trim(), ...shown }, () => setReason(""))
  }
  const canFreeze = of.state !== "frozen_by_house"
  const canOpen = of.state !== "open"
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (canOpen) act(open, { frozen_at: of.frozen_at })
        else act(freeze)
      }}
    >
      <h3 className="mt-6 mb-2 font-semibold">
        {canOpen ? (canFreeze ? "Open it, or keep it frozen" : "Open it") : "Freeze it"}
      </h3>
      <ul className="list-disc pl-5 text-small text-t2">
        {canFreeze && (
          <li>
            Freezing logs the member out everywhere. Nobody gets in before you open the account: a new
            password doesn't.
          </li>
        )}
        {canOpen && (
          <li>
            Opening holds withdrawals as a new password does. Be sure that it is the member who asks: a mail
            goes to their address.
          </li>
        )}
      </ul>
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={wrong ? "Say why: it is written down" : null}
      />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-5 flex flex-col gap-3">
        {canOpen && (
          <Button submit busy={open.busy} disabled={freeze.busy}>
            Open the account
          </Button>
        )}
        {canFreeze && (
          <Button
            kind="danger"
            busy={freeze.busy}
            disabled={open.busy}
            {...(canOpen ? { onPress: () => act(freeze) } : { submit: true })}
          >
            Freeze the account
          </Button>
        )}
      </div>
    </Form>
  )
}
