import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { call } from "../../lib/api.ts"
import { looksLikeEmail } from "../../lib/credentials.ts"
import { notify } from "../../lib/notices.ts"
import type { useResend } from "../../lib/resend.ts"
import { Field } from "../../ui/Field.tsx"
import { MailedCode } from "../../ui/MailedCode.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { CaptchaField } from "./CaptchaField.tsx"
import { useCaptcha } from "./captcha.ts"
import type { RegisterForm } from "./registerForm.ts"
import { fieldOf, TAKEN } from "./registerForm.ts"

interface Props {
  form: UseFormReturn<RegisterForm>
  resend: ReturnType<typeof useResend>
}

/** The e-mail, the picture's code, or tones that are counted, that allow a mail to it, and the code from that mail. */
export function EmailGroup({ form, resend }: Props) {
  const { t } = useLingui()
  const captcha = useCaptcha(() => form.resetField("captcha"))
  const { errors } = form.formState
  const email = useWatch({ control: form.control, name: "email" })

  const send = useMutation({
    mutationFn: () => {
      const { email, captcha: code } = form.getValues()
      const answer = { captcha_id: captcha.id ?? "", code: code.trim() }
      const body = { email: email.trim(), scene: "register", captcha: answer } as const
      return call("/api/auth/sendEmail", body, { quiet: true })
    },
    onSuccess: () => {
      resend.start(form.getValues("email").trim())
      form.clearErrors(["captcha", "email"])
      notify(t`Code sent`)
      form.setFocus("email_code")
    },
    onError: (problem) => {
      resend.refused(form.getValues("email").trim(), problem)
      form.setError(fieldOf(problem) ?? "email", { message: problem.message }, { shouldFocus: true })
    },
    onSettled: () => {
      // A picture counts once, right or wrong.
      form.setValue("captcha", "")
      captcha.refresh()
    },
  })
  const ask = async () => {
    if (await form.trigger(["email"], { shouldFocus: true })) {
      if (form.getValues("captcha").trim() === "") {
        form.setError("captcha", { message: t`This is needed` }, { shouldFocus: true })
      } else send.mutate()
    }
  }

  return (
    <>
      <Field
        label={t`E-mail`}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        error={
          errors.email?.type === TAKEN ? (
            <>
              {errors.email.message}{" "}
              <TextLink to="/login" state={{ name: email.trim() }}>
                <Trans>Log in</Trans>
              </TextLink>
            </>
          ) : (
            errors.email?.message
          )
        }
        {...form.register("email", {
          required: t`Enter your e-mail`,
          validate: (text) => looksLikeEmail(text.trim()) || t`This doesn't look like an e-mail address`,
        })}
      />
      <CaptchaField captcha={captcha} error={errors.captcha?.message} {...form.register("captcha")} />
      <MailedCode
        resend={resend}
        to={email}
        busy={send.isPending}
        onAsk={() => void ask()}
        onCode={(code) => form.setValue("email_code", code, { shouldValidate: true })}
        error={errors.email_code?.message}
        register={(options) => form.register("email_code", options)}
      />
    </>
  )
}
