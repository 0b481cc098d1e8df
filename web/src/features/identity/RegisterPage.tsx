import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useEffect } from "react"
import { useForm, useWatch } from "react-hook-form"
import type { RegisterBody } from "../../lib/api.gen.ts"
import { call, type Refusal } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { keepDevice, knownDevice } from "../../lib/device.ts"
import { keepInvitation, keptInvitation } from "../../lib/invitation.ts"
import { useOnline } from "../../lib/network.ts"
import { useResend } from "../../lib/resend.ts"
import { startSession } from "../../lib/session.ts"
import { typedDay } from "../../lib/typedDay.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { NewPasswordField } from "../../ui/NewPasswordField.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { DoorHeader } from "./DoorHeader.tsx"
import { EmailGroup } from "./EmailGroup.tsx"
import { InviteGroup } from "./InviteGroup.tsx"
import { PersonGroup } from "./PersonGroup.tsx"
import { FIELDS, fieldOf, type RegisterForm, START } from "./registerForm.ts"
import { TERMS_VERSION } from "./terms.ts"

/** /register: invitation, e-mail with its code, password, and who it is for; then logged in. */
export default function RegisterPage() {
  const { t } = useLingui()
  const { code } = useSearch({ from: "/register" })
  const online = useOnline()
  const resend = useResend()
  const form = useForm<RegisterForm>({
    mode: "onTouched",
    shouldFocusError: false,
    defaultValues: {
      ...START,
      invite_code: code ?? keptInvitation(),
      email: resend.email,
    },
  })

  const [password, invitation] = useWatch({ control: form.control, name: ["password", "invite_code"] })
  useEffect(() => keepInvitation(invitation), [invitation])

  const register = useMutation({
    mutationFn: (fields: RegisterForm) => call("/api/auth/register", bodyOf(fields), { quiet: true }),
    onSuccess: ({ token, device }) => {
      keepDevice(device)
      startSession(token)
    },
    onError: (problem) => {
      const field = fieldOf(problem)
      if (field)
        form.setError(
          field,
          { type: (problem as Refusal).error, message: problem.message },
          { shouldFocus: true },
        )
    },
  })
  const refused = fieldOf(register.error)

  return (
    <Page title={t`Create account`} header={<DoorHeader title={t`Create account`} />}>
      <CheckedForm form={form} order={FIELDS} onSubmit={(fields) => register.mutate(fields)}>
        <InviteGroup form={form} locked={invitation === code && refused !== "invite_code"} />
        <EmailGroup form={form} resend={resend} />
        <NewPasswordField
          label={t`Password`}
          value={password}
          error={form.formState.errors.password?.message}
          register={(options) => form.register("password", options)}
        />
        <PersonGroup form={form} />
        {register.error && !refused && <Notice tone="danger">{register.error.message}</Notice>}
        <div className="mt-6">
          <Button
            submit
            busy={register.isPending}
            reason={online ? undefined : t`No connection to the server`}
          >
            <Trans>Create account</Trans>
          </Button>
        </div>
        <p className="mt-5 text-center text-t3">
          <Trans>
            Already have an account? <TextLink to="/login">Log in</TextLink>
          </Trans>
        </p>
      </CheckedForm>
    </Page>
  )
}

function bodyOf({
  invite_code,
  email,
  email_code,
  password,
  country,
  birth_date,
}: RegisterForm): RegisterBody {
  return {
    invite_code: invite_code.trim(),
    email: email.trim(),
    email_code: bareCode(email_code),
    password,
    terms_version: TERMS_VERSION,
    ...knownDevice(),
    ...(country && { country }),
    ...(birth_date && { birth_date: typedDay(birth_date) ?? birth_date }),
  }
}
