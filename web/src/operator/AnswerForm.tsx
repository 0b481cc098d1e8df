import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { TextArea } from "../ui/TextArea.tsx"
import type { Thread, Ticket } from "./shapes.ts"
import { textFrom } from "./textFrom.ts"
import { useAct } from "./useAct.ts"
import { languageOf } from "./words.ts"

const LONGEST = 2_000

/** The house's next message, or the end of a ticket. What came since it was opened must be read before. */
export function AnswerForm({ of, onDone }: { of: Ticket; onDone: () => void }) {
  const answer = useAct<Thread>("answerTicket", "The answer is sent")
  const close = useAct<Thread>("closeTicket", "The ticket is closed")
  const [seen, setSeen] = useState(of.last_message)
  const [text, setText] = useState("")
  const [wrong, setWrong] = useState(false)
  const isNews = of.last_message !== seen
  const problem = answer.problem ?? close.problem
  const send = () =>
    // The wire takes no control characters: a text goes line by line.
    answer.act({ id: of.id, last_message: seen, text: text.trim().split(/\r?\n/) }, ({ ticket }) => {
      setSeen(ticket.last_message)
      setText("")
    })
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(text.trim() === "")
        if (text.trim() !== "") send()
      }}
    >
      <TextArea
        label="Your answer"
        maxLength={LONGEST}
        value={text}
        onChange={textFrom(setText)}
        error={wrong ? "Write something first" : null}
        hint={`The member wrote in ${languageOf(of.lang)} last.`}
      />
      {isNews ? (
        <Notice tone="warn">
          Something was written since you opened this ticket. Read it above first.
          <span className="mt-2 block max-w-40">
            <Button kind="quiet" small onPress={() => setSeen(of.last_message)}>
              I have read it
            </Button>
          </span>
        </Notice>
      ) : (
        problem && <Notice tone="danger">{problem.message}</Notice>
      )}
      <div className="mt-5 grid grid-cols-2 gap-3">
        <Button
          kind="quiet"
          busy={close.busy}
          disabled={isNews || answer.busy}
          onPress={() => close.act({ id: of.id, last_message: seen }, onDone)}
        >
          Close the ticket
        </Button>
        <Button submit busy={answer.busy} disabled={isNews || close.busy}>
          Send the answer
        </Button>
      </div>
    </Form>
  )
}
