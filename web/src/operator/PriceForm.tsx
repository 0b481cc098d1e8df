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

/** Another price of KLS in USDT. */
export function PriceForm({ before, onDone }: Props) {
  const [rate, setRate] = useState((before as { rate?: string } | null)?.rate ?? "")
  const [wrong, setWrong] = useState(false)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = DECIMAL.test(rate.trim())
        setWrong(!isRight)
        if (isRight) onDone({ asset: "KLS", rate: rate.trim() })
      }}
    >
      <Field
        label="Price of 1 KLS in USDT"
        inputMode="decimal"
        value={rate}
        onChange={textFrom(setRate)}
        error={wrong && "Enter a number such as 0.1842"}
        hint="Away from each price of this day, its first one too, at most by price_daily_step."
      />
      <div className="mt-5">
        <Button submit>See what it would do</Button>
      </div>
    </Form>
  )
}
