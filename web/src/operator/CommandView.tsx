import { useState } from "react"
import { formatDateTime } from "../lib/time.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Changes } from "./Changes.tsx"
import { Facts } from "./Facts.tsx"
import { KeyFields } from "./KeyFields.tsx"
import { NoteOf } from "./NoteOf.tsx"
import { StateTag } from "./StateTag.tsx"
import type { Command } from "./shapes.ts"
import { isLimitOf } from "./signing.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"
import { useMe } from "./useMe.ts"
import { useSigned } from "./useSigned.ts"
import { kindOf } from "./words.ts"

/** One command: what it changes, who asked for it and why, and the caller's signature or no. */
export function CommandView({ of, onDone }: { of: Command; onDone: () => void }) {
  const me = useMe()
  return (
    <>
      <Facts
        of={[
          ["Kind", kindOf(of.kind)],
          ["Of what", of.object],
          ["State", <StateTag key="state" state={of.state} />],
          ["Asked by", of.maker],
          ["Asked", formatDateTime(of.made_at)],
          of.state === "open" ? ["Expires", formatDateTime(of.expires_at)] : null,
          of.checker === null ? null : [of.state === "refused" ? "Refused by" : "Signed by", of.checker],
          of.decided_at === null ? null : ["Decided", formatDateTime(of.decided_at)],
          of.outcome === null ? null : ["Why", of.outcome],
        ]}
      />
      <h3 className="mt-5 font-semibold">What it does</h3>
      <Changes before={of.before} after={of.after} />
      <NoteOf body={of.body} />
      <h3 className="mt-5 font-semibold">Reason</h3>
      <p className="mt-1 break-words whitespace-pre-wrap text-t2">{of.reason}</p>
      {of.state === "open" && me !== undefined && (
        <>
          {!of.can_sign && (
            <Notice>
              {of.maker === me.name
                ? "You asked for this: somebody else must sign it. You can take it back."
                : of.is_own
                  ? "This moves money of your own account: somebody else must sign or refuse it."
                  : "Your roles don't let you sign this."}
            </Notice>
          )}
          {of.can_sign && <Signature of={of} onDone={onDone} />}
          {(of.can_sign || of.maker === me.name) && (
            <Refusal of={of} own={of.maker === me.name} onDone={onDone} />
          )}
        </>
      )}
    </>
  )
}

function Signature({ of, onDone }: { of: Command; onDone: () => void }) {
  const { act, busy, problem } = useAct<Command>("sign", "The command is signed")
  const me = useMe()
  const key = useSigned(me)
  const { message } = of
  const sign = () => {
    const fields = { id: of.id, version: of.version }
    if (message === null) act(fields, onDone)
    else void key.sign(message, (signature) => act({ ...fields, signature }, onDone))
  }
  const another = message !== null && !isLimitOf(message, of)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        sign()
      }}
    >
      {message !== null && <KeyFields message={message} me={me} by={key} />}
      {another && (
        <Notice tone="danger">The text to sign isn't of this command. Don't sign; tell the owner.</Notice>
      )}
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-6">
        <Button submit busy={busy || key.signing} disabled={another}>
          Sign it
        </Button>
      </div>
    </Form>
  )
}

function Refusal({ of, own, onDone }: { of: Command; own: boolean; onDone: () => void }) {
  const { act, busy, problem } = useAct<Command>(
    "refuse",
    own ? "The command is taken back" : "The command is refused",
  )
  const [reason, setReason] = useState("")
  const [wrong, setWrong] = useState(false)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(reason.trim() === "")
        if (reason.trim() !== "") act({ id: of.id, reason: reason.trim() }, onDone)
      }}
    >
      <Field
        label={own ? "Why you take it back" : "Why not"}
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={wrong && "Say why: it is written down"}
      />
      {problem && <Notice tone="danger">{problem.message}</Notice>}
      <div className="mt-3">
        <Button kind="quiet" submit small busy={busy}>
          {own ? "Take it back" : "Refuse it"}
        </Button>
      </div>
    </Form>
  )
}
