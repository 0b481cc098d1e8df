import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Failed } from "../ui/Failed.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import { Changes } from "./Changes.tsx"
import { KeyFields } from "./KeyFields.tsx"
import { NoteOf } from "./NoteOf.tsx"
import type { Command, Preview } from "./shapes.ts"
import { isLimitOf } from "./signing.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"
import { useAsked } from "./useAsked.ts"
import { useMe } from "./useMe.ts"
import { useSigned } from "./useSigned.ts"

interface Props {
  kind: string
  body: object
  onDone: (made: Command) => void
  /** Back to what is asked for. */
  onBack: () => void
}

/** The last look at a command before it is made: what it would do, run dry by the server, and why it is wanted. */
export function Submission({ kind, body, onDone, onBack }: Props) {
  const { data, problem, again } = useAsked<Preview>("preview", { about: { kind, body }, anew: true })
  const submitted = useAct<Command>("submit", "The command is made")
  const [reason, setReason] = useState("")
  const [wrong, setWrong] = useState(false)
  const me = useMe()
  const key = useSigned(me)
  if (problem)
    return (
      <>
        <Failed problem={problem} onRetry={again} />
        <BackButton onBack={onBack} />
      </>
    )
  if (data === undefined) return <Skeleton lines={4} />
  const another = data.message !== null && !isLimitOf(data.message, data)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        const said = reason.trim()
        setWrong(said === "")
        if (said === "") return
        const made = { kind, body, reason: said }
        if (data.message === null) submitted.act(made, onDone)
        else void key.sign(data.message, (signature) => submitted.act({ ...made, signature }, onDone))
      }}
    >
      <h3 className="mt-5 font-semibold">What it would do</h3>
      <p className="text-small text-t3">{data.object}</p>
      <Changes before={data.before} after={data.after} />
      <NoteOf body={body} />
      <TextArea
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={textFrom(setReason)}
        error={wrong ? "Say why: it is written down, and the second person reads it" : null}
      />
      {data.message !== null && <KeyFields message={data.message} me={me} by={key} />}
      {another && (
        <Notice tone="danger">The text to sign isn't of this command. Don't sign; tell the owner.</Notice>
      )}
      <Notice>
        {data.signers === 2
          ? "It counts when a second person has signed it, within a day. You can't sign your own."
          : "It counts at once."}
      </Notice>
      {submitted.problem && <Notice tone="danger">{submitted.problem.message}</Notice>}
      <div className="mt-5">
        <Button submit busy={submitted.busy || key.signing} disabled={another}>
          {data.signers === 2 ? "Ask for the second signature" : "Carry it out"}
        </Button>
      </div>
      <BackButton onBack={onBack} />
    </Form>
  )
}

function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <div className="mt-2">
      <Button kind="text" small onPress={onBack}>
        Back
      </Button>
    </div>
  )
}
