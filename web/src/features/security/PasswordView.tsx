import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { call } from "../../lib/api.ts"
import { knownDevice } from "../../lib/device.ts"
import { useOnline } from "../../lib/network.ts"
import { askAnew, infoQuery } from "../../lib/queries.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { HoldFirst } from "../../ui/HoldFirst.tsx"
import { NewPasswordField } from "../../ui/NewPasswordField.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { Changed } from "./Changed.tsx"
import { fieldIn, untold } from "./refused.ts"

const START = { old: "", password: "", again: "" }
const FIELDS = ["old", "password", "again"] as const
const REFUSED = {
  wrong_credentials: "old",
  password_format: "password",
  password_common: "password",
  password_same: "password",
  password_mismatch: "again",
} as const

/** /me1?view=login: another log-in password, which ends all other sessions and holds withdrawals. */
export default function PasswordView() {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const slide = useSlideSheet()
  const info = useQuery(infoQuery())
  const factor = useSecondFactor("password")
  const form = useForm({ mode: "onTouched", shouldFocusError: false, defaultValues: START })
  const { errors } = form.formState
  const password = useWatch({ control: form.control, name: "password" })
  const changing = useMutation({
    mutationFn: (proof: string) => {
      const { old, again } = form.getValues()
      const passwords = { old_password: old, new_password: password, confirm_password: again }
      return call(
        "/api/user/upPwd",
        { ...passwords, ...knownDevice(), proof, ...factor.codes },
        { quiet: true },
      )
    },
    onSuccess: () => askAnew(client, "/api/user/info", "/api/user/securityLog", "/api/user/sessions"),
    onError: (problem) => {
      if (factor.refused(problem)) return
      const field = fieldIn(REFUSED, problem)
      if (field) form.setError(field, { message: problem.message }, { shouldFocus: true })
    },
  })
  if (changing.isSuccess)
    return (
      <Changed title={t`Log-in password`} done={<Trans>Your password is changed</Trans>}>
        <Trans>All other devices are logged out. You stay logged in here.</Trans>
      </Changed>
    )
  return (
    <Page title={t`Log-in password`} back="/me1">
      <Notice tone="warn">
        <Trans>A new password logs out all other devices.</Trans>
      </Notice>
      <HoldFirst hours={info.data?.security_hold ?? 0} />
      <CheckedForm form={form} order={FIELDS} onSubmit={() => factor.check() && slide.show()}>
        <PasswordField
          label={t`Password until now`}
          autoComplete="current-password"
          error={errors.old?.message}
          {...form.register("old", { required: t`Enter your password` })}
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
        <SecondFactorField factor={factor} />
        <div className="mt-6">
          <Problem problem={untold(REFUSED, changing.error)} />
          <Button
            submit
            busy={changing.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Set the new password</Trans>
          </Button>
        </div>
      </CheckedForm>
      <SlideSheet sheet={slide} onProof={(proof) => changing.mutate(proof)} />
    </Page>
  )
}
