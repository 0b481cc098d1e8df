import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useForm } from "react-hook-form"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { call } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { useOnline } from "../../lib/network.ts"
import { askAnew } from "../../lib/queries.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { endSessionOf, getToken } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { fieldIn, untold } from "./refused.ts"

const START = { password: "", out_password: "", account: "" }
const FIELDS = ["password", "out_password", "account"] as const
const REFUSED = { wrong_credentials: "password", wrong_out_password: "out_password" } as const

/** The last step: passwords, second factor, the account's own number, a slide. It ends at log-in. */
export function CloseForm({ member }: { member: InfoAnswer }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const router = useRouter()
  const online = useOnline()
  const slide = useSlideSheet()
  const factor = useSecondFactor("close")
  const form = useForm({ shouldFocusError: false, defaultValues: START })
  const { errors } = form.formState
  const closing = useMutation({
    mutationFn: async (proof: string) => {
      const { password, out_password } = form.getValues()
      const token = getToken()
      await call(
        "/api/user/close",
        {
          password,
          ...(member.out_password_set ? { out_password } : {}),
          proof,
          ...factor.codes,
        },
        { quiet: true },
      )
      return token
    },
    onSuccess: async (token) => {
      await endSessionOf(token)
      await router.navigate({ to: "/login", search: { view: "closed" }, replace: true })
    },
    onError: (problem) => {
      askAnew(client, "/api/finance/userFinance", "/api/recharge/list")
      if (factor.refused(problem)) return
      const field = fieldIn(REFUSED, problem)
      if (field) form.setError(field, { message: problem.message }, { shouldFocus: true })
    },
  })
  return (
    <>
      <CheckedForm form={form} order={FIELDS} onSubmit={() => factor.check() && slide.show()}>
        <PasswordField
          label={t`Password`}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register("password", { required: t`Enter your password` })}
        />
        {member.out_password_set && (
          <PasswordField
            label={t`Withdrawal password`}
            inputMode="numeric"
            autoComplete="off"
            error={errors.out_password?.message}
            {...form.register("out_password", { required: t`Enter your withdrawal password` })}
          />
        )}
        <SecondFactorField factor={factor} />
        <Field
          label={t`Type your account number ${member.account}`}
          mono
          inputMode="numeric"
          autoComplete="off"
          error={errors.account?.message}
          {...form.register("account", {
            validate: (text) => bareCode(text) === member.account || t`This isn't your account number`,
          })}
        />
        <div className="mt-8">
          <Problem problem={untold(REFUSED, closing.error)} />
          <Button
            kind="danger"
            submit
            busy={closing.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Close the account for good</Trans>
          </Button>
        </div>
      </CheckedForm>
      <SlideSheet sheet={slide} onProof={(proof) => closing.mutate(proof)} />
    </>
  )
}
