import { Trans, useLingui } from "@lingui/react/macro"
import { useForm } from "react-hook-form"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet } from "../../ui/SlideSheet.tsx"
import { AppCodeField } from "./AppCodeField.tsx"
import { NewOutPassword } from "./NewOutPassword.tsx"
import { bodyOf, FIELDS, fieldOf, type OutPasswordFields, START, type Way } from "./outPassword.ts"
import { SendButton } from "./SendButton.tsx"
import { useProven } from "./useProven.ts"

interface Props {
  way: Way
  info: InfoAnswer
  onDone: () => void
}

/** A withdrawal password: the first for the login's, another for the old one, both with the second factor, or one by mail. */
export function OutPasswordForm({ way, info, onDone }: Props) {
  const { t } = useLingui()
  const form = useForm<OutPasswordFields>({
    mode: "onTouched",
    shouldFocusError: false,
    defaultValues: START,
  })
  const { errors } = form.formState
  const factor = useSecondFactor("password", {}, way === "forgotten" ? "email" : undefined)
  const twoCodes = way === "forgotten" && info.google_bound
  const change = useProven("/api/user/upOutPwd", {
    body: () => bodyOf(way, form.getValues(), factor.codes),
    onDone,
    onRefused: (refusal) => {
      const { error, message } = refusal
      if (error === "wrong_code" && twoCodes) {
        const text = t`One of the two codes is wrong`
        factor.complain(text)
        form.setError("google_code", { message: text }, { shouldFocus: true })
        return true
      }
      if (factor.refused(refusal)) return true
      const field = fieldOf(error)
      if (field === undefined) return false
      const text = field === "password" ? t`This isn't your log-in password` : message
      form.setError(field, { message: text }, { shouldFocus: true })
      return true
    },
  })
  return (
    <>
      <CheckedForm form={form} order={FIELDS} onSubmit={change.slide.show}>
        {way === "first" && (
          <PasswordField
            label={t`Log-in password`}
            autoComplete="current-password"
            error={errors.password?.message}
            {...form.register("password", { required: t`Enter your password` })}
          />
        )}
        {way === "change" && (
          <PasswordField
            label={t`Present withdrawal password`}
            inputMode="numeric"
            autoComplete="off"
            error={errors.old?.message}
            {...form.register("old", { required: t`Enter your password` })}
          />
        )}
        <NewOutPassword form={form} />
        <SecondFactorField factor={factor} />
        {twoCodes && (
          <AppCodeField
            error={errors.google_code?.message}
            register={(options) => form.register("google_code", options)}
          />
        )}
        <SendButton complete={factor.complete} busy={change.busy} problem={change.problem}>
          {way === "first" ? <Trans>Set the withdrawal password</Trans> : <Trans>Set the new password</Trans>}
        </SendButton>
      </CheckedForm>
      <SlideSheet sheet={change.slide} onProof={change.send} />
    </>
  )
}
