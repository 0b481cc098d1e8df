import { useLogin } from "@refinedev/core"
import { type FormEvent, useEffect, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Form } from "../ui/Form.tsx"
import { Notice } from "../ui/Notice.tsx"
import { PasswordField } from "../ui/PasswordField.tsx"
import { textFrom } from "./textFrom.ts"

/** The console's door: name, password and the authenticator's code, always all three. */
export function LoginPage() {
  const { mutate, isPending, data } = useLogin<object>()
  const [fields, setFields] = useState({ name: "", password: "", code: "" })
  const [tried, setTried] = useState(false)
  useEffect(() => {
    document.title = "Log in · Kalos operator console"
  }, [])
  const set = (name: keyof typeof fields) => textFrom((text) => setFields({ ...fields, [name]: text }))
  const missing = (name: keyof typeof fields, text: string) =>
    tried && fields[name].trim() === "" ? text : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const [name, code] = [fields.name.trim(), fields.code.replaceAll(" ", "")]
    if (name !== "" && fields.password !== "" && code !== "") mutate({ ...fields, name, code })
  }
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[24rem] flex-col justify-center p-5">
      <div>
        <p className="text-small text-t3">Kalos</p>
        <h1 className="text-h1">Operator console</h1>
        <Form onSubmit={submit}>
          <Field
            label="Name"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={fields.name}
            onChange={set("name")}
            error={missing("name", "Enter your name")}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={fields.password}
            onChange={set("password")}
            error={missing("password", "Enter your password")}
          />
          <Field
            label="Authenticator code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={fields.code}
            onChange={set("code")}
            error={missing("code", "Enter the six digits that your authenticator shows")}
          />
          {!isPending && data?.error && <Notice tone="danger">{data.error.message}</Notice>}
          <div className="mt-6">
            <Button submit busy={isPending}>
              Log in
            </Button>
          </div>
          <p className="mt-4 text-center text-small text-t3">
            Everything that is done here is written down with your name.
          </p>
        </Form>
      </div>
    </main>
  )
}
