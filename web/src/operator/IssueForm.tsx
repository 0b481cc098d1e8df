import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { DECIMAL } from "./decimal.ts"
import { textFrom } from "./textFrom.ts"

interface Props {
  /** What was asked for before the way back. */
  before: object | null
  onDone: (body: object) => void
}

/** More KLS in the house's stock, from which members buy what a withdrawal's fee lacks. */
export function IssueForm({ before, onDone }: Props) {
  const [amount, setAmount] = useState((before as { amount?: string } | null)?.amount ?? "")
  const [wrong, setWrong] = useState(false)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = DECIMAL.test(amount.trim())
        setWrong(!isRight)
        if (isRight) onDone({ amount: amount.trim() })
      }}
    >
      <Field
        label="KLS to issue to the house's stock"
        inputMode="decimal"
        value={amount}
        onChange={textFrom(setAmount)}
        error={wrong && "Enter an amount such as 50000"}
        hint="At most what the cap leaves, and what the reserves hold of KLS beyond what is owed."
      />
      <div className="mt-5">
        <Button submit>See what it would do</Button>
      </div>
    </Form>
  )
}
