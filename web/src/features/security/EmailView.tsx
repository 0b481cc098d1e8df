import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useForm, useWatch } from "react-hook-form"
import { call } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { looksLikeEmail } from "../../lib/credentials.ts"
import { useOnline } from "../../lib/network.ts"
import { notify } from "../../lib/notices.ts"
import { askAnew, infoQuery } from "../../lib/queries.ts"
import { useResend } from "../../lib/resend.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { HoldFirst } from "../../ui/HoldFirst.tsx"
import { MailedCode } from "../../ui/MailedCode.tsx"
import { Page } from "../../ui/Page.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet, useSlideSheet } from "../../ui/SlideSheet.tsx"
import { Changed } from "./Changed.tsx"
import { fieldIn } from "./refused.ts"

const START = { email: "", code: "" }
const FIELDS = ["email", "code"] as const
const REFUSED = { already_exists: "email", invalid_input: "email" } as const

/** /me1?view=email: another address, for whoever reads the mails of both. */
export default function EmailView() {
  const { t } = useLingui()
  const client = useQueryClient()
  const online = useOnline()
  const slide = useSlideSheet()
  const info = useQuery(infoQuery())
  const resend = useResend("kalos.sent.bind")
  const present = useSecondFactor("bind", {}, "email")
  const form = useForm({
    mode: "onTouched",
    shouldFocusError: false,
    defaultValues: { ...START, email: resend.email },
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: "email" })
  const newAddress = () => form.getValues("email").trim()
  const refuse = (problem: Error) =>
    form.setError("email", { message: problem.message }, { shouldFocus: true })
  const send = useMutation({
    mutationFn: () => call("/api/user/sendEmail", { scene: "bind", email: newAddress() }, { quiet: true }),
    onSuccess: () => {
      resend.start(newAddress())
      notify(t`Code sent`)
      form.setFocus("code")
    },
    onError: (problem) => {
      resend.refused(newAddress(), problem)
      refuse(problem)
    },
  })
  const bind = useMutation({
    mutationFn: (proof: string) => {
      const codes = { code: bareCode(form.getValues("code")), old_code: bareCode(present.code) }
      return call("/api/user/bindEmail", { email: newAddress(), ...codes, proof }, { quiet: true })
    },
    onSuccess: () => askAnew(client, "/api/user/info", "/api/user/securityLog"),
    onError: (problem) => void (fieldIn(REFUSED, problem) && refuse(problem)),
  })
  const ask = async () => {
    if (await form.trigger("email", { shouldFocus: true })) send.mutate()
  }
  if (bind.isSuccess)
    return (
      <Changed title={t`E-mail`} done={<Trans>Your e-mail is changed</Trans>}>
        <Trans>Codes and warnings go to the new address. The one before has been told.</Trans>
      </Changed>
    )
  return (
    <Page title={t`E-mail`} back="/me1">
      <HoldFirst hours={info.data?.security_hold ?? 0} />
      <p className="mt-3 text-t2">
        <Trans>Both addresses must be yours to read.</Trans>
      </p>
      <CheckedForm form={form} order={FIELDS} onSubmit={() => present.check() && slide.show()}>
        <Card title={t`New address`}>
          <Field
            label={t`New e-mail`}
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
            label={t`Code sent to the new address`}
            resend={resend}
            to={typed}
            busy={send.isPending}
            onAsk={() => void ask()}
            onCode={(code) => form.setValue("code", code, { shouldValidate: true })}
            error={errors.code?.message}
            register={(options) => form.register("code", options)}
          />
        </Card>
        <Card title={t`Present address`} note={info.data?.email}>
          <SecondFactorField factor={present} label={t`Code sent to the present address`} />
        </Card>
        <div className="mt-6">
          <Problem problem={fieldIn(REFUSED, bind.error) ? null : bind.error} />
          <Button
            submit
            busy={bind.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Change the e-mail</Trans>
          </Button>
        </div>
      </CheckedForm>
      <SlideSheet sheet={slide} onProof={(proof) => bind.mutate(proof)} />
    </Page>
  )
}
