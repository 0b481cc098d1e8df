import { useLingui } from "@lingui/react/macro"
import { type FormEvent, type ReactNode, useState } from "react"
import type { Secrets } from "../lib/payment.ts"
import { Button } from "./Button.tsx"
import { Field } from "./Field.tsx"
import { Form } from "./Form.tsx"
import { PasswordField } from "./PasswordField.tsx"
import { Problem } from "./Problem.tsx"

interface Props {
  sending: boolean
  problem: Error | null
  factor: "google_code" | "email_code" | null
  sentence: ReactNode
  onSend: (secrets: Secrets) => void
}

const PASSWORD = /^\d{6,20}$/
const CODE = /^\d{6}$/

/** The withdrawal password in one masked field, and the second factor where it is asked for. */
export function ReviewPassword({ sending, problem, factor, sentence, onSend }: Props) {
  const { t } = useLingui()
  const [password, setPassword] = useState("")
  const [code, setCode] = useState("")
  const [tried, setTried] = useState(false)
  const wrongPassword = tried && !PASSWORD.test(password)
  const wrongCode = tried && factor !== null && !CODE.test(code.trim())
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (sending || !PASSWORD.test(password) || (factor !== null && !CODE.test(code.trim()))) return
    onSend({ out_password: password, ...(factor !== null && { [factor]: code.trim() }) })
  }
  return (
    <Form onSubmit={send}>
      <PasswordField
        label={t`Withdrawal password`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrongPassword ? t`6-20 characters, digits only` : ""}
      />
      {factor !== null && (
        <Field
          label={factor === "google_code" ? t`Code of your authenticator` : t`Code from the e-mail`}
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wrongCode ? t`The code has six digits` : ""}
        />
      )}
      <div className="mt-5">
        <Problem problem={problem} />
        <Button submit busy={sending}>
          {sentence}
        </Button>
      </div>
    </Form>
  )
}
