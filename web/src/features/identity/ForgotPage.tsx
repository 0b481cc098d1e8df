import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { useForm, useWatch } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { looksLikeEmail } from "../../lib/credentials.ts"
import { knownDevice } from "../../lib/device.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { useResend } from "../../lib/resend.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { MailedCode } from "../../ui/MailedCode.tsx"
import { NewPasswordField } from "../../ui/NewPasswordField.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { DoorHeader } from "./DoorHeader.tsx"
import { GoogleCodeField } from "./GoogleCodeField.tsx"

const START = { email: "", email_code: "", password: "", again: "", google_code: "" }
type ForgotFields = typeof START
const FIELDS = ["email", "email_code", "password", "again", "google_code"] as const

const REFUSED: Record<string, keyof ForgotFields> = {
  wrong_code: "email_code",
  code_expired: "email_code",
  password_format: "password",
  password_common: "password",
}

/** /login?view=forgot: a code by e-mail, and with it a new password; a slide before each of the two. */
export default function ForgotPage() {
  const { t } = useLingui()
  const online = useOnline()
  const navigate = useNavigate()
  const resend = useResend()
  const slide = useSlideSheet()
  const [needsGoogle, setNeedsGoogle] = useState(false)
  const asked = useRef<"code" | "password">("code")
  const proof = useRef<string>(undefined)
  const form = useForm<ForgotFields>({
    mode: "onTouched",
    shouldFocusError: false,
    defaultValues: { ...START, email: resend.email },
  })
  const { errors } = form.formState
  const [email, password] = useWatch({ control: form.control, name: ["email", "password"] })

  const send = useMutation({
    mutationFn: (proof: string) => {
      const body = { email: form.getValues("email").trim(), scene: "reset", proof, ...knownDevice() } as const
      return call("/api/auth/sendEmail", body, { quiet: true })
    },
    onSuccess: () => {
      resend.start(form.getValues("email").trim())
      notify(t`Code sent`)
      form.setFocus("email_code")
    },
    onError: (problem) => {
      resend.refused(form.getValues("email").trim(), problem)
      form.setError("email", { message: problem.message }, { shouldFocus: true })
    },
  })
  const reset = useMutation({
    mutationFn: (given: string) => {
      const { email, email_code, google_code } = form.getValues()
      return call(
        "/api/auth/resetPwd",
        {
          email: email.trim(),
          email_code: bareCode(email_code),
          password,
          proof: given,
          ...knownDevice(),
          ...(google_code === "" ? {} : { google_code: bareCode(google_code) }),
        },
        { quiet: true },
      )
    },
    onSuccess: () => {
      notify(t`New password set. Log in with it.`)
      void navigate({ to: "/login", replace: true })
    },
    onError: (problem, given) => {
      proof.current = undefined
      if (!(problem instanceof Refusal)) return
      if (problem.error === "second_factor_required") {
        // The same slide serves once more.
        proof.current = given
        setNeedsGoogle(true)
        return
      }
      const field = problem.error === "wrong_code" && needsGoogle ? "google_code" : REFUSED[problem.error]
      if (field) form.setError(field, { message: problem.message }, { shouldFocus: true })
    },
  })
  const askCode = async () => {
    if (!(await form.trigger("email", { shouldFocus: true }))) return
    asked.current = "code"
    slide.show()
  }
  const submit = () => {
    asked.current = "password"
    if (proof.current === undefined) slide.show()
    else reset.mutate(proof.current)
  }
  const told =
    reset.error instanceof Refusal &&
    (reset.error.error === "second_factor_required" || REFUSED[reset.error.error] !== undefined)
      ? null
      : reset.error

  return (
    <Page title={t`New password`} header={<DoorHeader title={t`New password`} />}>
      <CheckedForm form={form} order={FIELDS} onSubmit={submit}>
        <p className="mt-3 text-t2">
          <Trans>
            A new password logs out every device and holds withdrawals for some time. A frozen account opens
            with it.
          </Trans>
        </p>
        <Field
          label={t`E-mail`}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...form.register("email", {
            required: t`Enter your e-mail`,
            validate: (text) => looksLikeEmail(text.trim()) || t`This doesn't look like an e-mail address`,
          })}
        />
        <MailedCode
          resend={resend}
          to={email}
          busy={send.isPending}
          onAsk={() => void askCode()}
          onCode={(code) => form.setValue("email_code", code, { shouldValidate: true })}
          error={errors.email_code?.message}
          register={(options) => form.register("email_code", options)}
        />
        <NewPasswordField
          label={t`New password`}
          value={password}
          error={errors.password?.message}
          register={(options) => form.register("password", options)}
        />
        <PasswordField
          label={t`New password once more`}
          autoComplete="new-password"
          error={errors.again?.message}
          {...form.register("again", {
            validate: (text) => text === form.getValues("password") || t`The two entries must match`,
          })}
        />
        {needsGoogle && (
          <GoogleCodeField error={errors.google_code?.message} {...form.register("google_code")} />
        )}
        {told && <Notice tone="danger">{told.message}</Notice>}
        <div className="mt-6">
          <Button
            submit
            busy={reset.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Set the new password</Trans>
          </Button>
        </div>
        <p className="mt-5 text-center text-t3">
          <TextLink to="/login">
            <Trans>Back to log in</Trans>
          </TextLink>
        </p>
      </CheckedForm>
      <SlideSheet
        sheet={slide}
        onProof={(given) => (asked.current === "code" ? send.mutate(given) : reset.mutate(given))}
      />
    </Page>
  )
}
