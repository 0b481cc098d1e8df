import { useLingui } from "@lingui/react/macro"
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Refusal } from "../lib/api.ts"
import { useOnline } from "../lib/network.ts"
import type { Secrets } from "../lib/payment.ts"
import { reasonOf } from "../lib/reasons.ts"
import { type FactorAsked, isAboutCode, type SecondFactor, useSecondFactor } from "../lib/secondFactor.ts"
import { Button } from "./Button.tsx"
import { Form } from "./Form.tsx"
import { PasswordField } from "./PasswordField.tsx"
import { Problem } from "./Problem.tsx"
import { SecondFactorField } from "./SecondFactorField.tsx"
import { useDouble } from "./useDouble.ts"

interface Props {
  sending: boolean
  problem: Error | null
  factor: FactorAsked | null
  sentence: ReactNode
  onSend: (secrets: Secrets) => void
}

const PASSWORD = /^\d{6,20}$/

const isAboutPassword = (problem: Error | null): problem is Refusal =>
  problem instanceof Refusal && problem.error === "wrong_out_password"

/** The withdrawal password in one masked field, and the second factor where it is asked for. */
export function ReviewPassword({ factor, ...props }: Props) {
  return factor === null ? <PasswordForm {...props} /> : <ProvenForm asked={factor} {...props} />
}

function ProvenForm({ asked, ...props }: Omit<Props, "factor"> & { asked: FactorAsked }) {
  const factor = useSecondFactor(asked.scene, asked.about)
  const told = useRef<Error | null>(null)
  const { problem } = props
  // Once for each refusal: what is typed after it takes its sentence away.
  useEffect(() => {
    if (told.current === problem) return
    told.current = problem
    factor.refused(problem)
  })
  return <PasswordForm factor={factor} {...props} problem={isAboutCode(problem) ? null : problem} />
}

function PasswordForm({
  sending,
  problem,
  factor,
  sentence,
  onSend,
}: Omit<Props, "factor"> & { factor?: SecondFactor }) {
  const { t } = useLingui()
  const [password, setPassword] = useState("")
  const [tried, setTried] = useState(false)
  const isDouble = useDouble()
  const online = useOnline()
  const { field, refusal, typed } = useRefusal(problem)
  const wrongPassword = tried && !PASSWORD.test(password)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (password === "" && isDouble()) return field.current?.focus()
    setTried(true)
    const isProven = factor === undefined || factor.check()
    if (sending || !online || !isProven || !PASSWORD.test(password)) return
    onSend({ out_password: password, ...factor?.codes })
  }
  return (
    <Form onSubmit={send}>
      <PasswordField
        ref={field}
        label={t`Withdrawal password`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        autoFocus
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value)
          typed()
        }}
        error={
          wrongPassword
            ? t`6-20 characters, digits only`
            : refusal && <span role="alert">{reasonOf(refusal)}</span>
        }
      />
      {factor && <SecondFactorField factor={factor} />}
      <div className="mt-5">
        <Problem problem={isAboutPassword(problem) ? null : problem} />
        <Button submit busy={sending} {...(!online && { reason: t`No connection to the server` })}>
          {sentence}
        </Button>
      </div>
    </Form>
  )
}

/** The server's word on the password: told at its field, which is ready to be typed anew, until something is typed. */
function useRefusal(problem: Error | null) {
  const field = useRef<HTMLInputElement>(null)
  const [read, setRead] = useState<Error | null>(null)
  useEffect(() => {
    if (!isAboutPassword(problem)) return
    field.current?.focus()
    field.current?.select()
  }, [problem])
  return {
    field,
    refusal: isAboutPassword(problem) && problem !== read ? problem : null,
    typed: () => setRead(problem),
  }
}
