import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useForm } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { DEMO } from "../../lib/mode.ts"
import { useOnline } from "../../lib/network.ts"
import { startSession } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { CaptchaImage } from "../../ui/CaptchaImage.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { useCaptcha } from "./captcha.ts"
import { DEMO_ACCOUNT, DemoAccount } from "./DemoAccount.tsx"
import { DoorHeader } from "./DoorHeader.tsx"
import { InstallHint } from "./InstallHint.tsx"

interface LoginForm {
  name: string
  password: string
  code: string
}

const START: LoginForm = { name: "", password: "", code: "" }
const FIELDS = ["name", "password", "code"] as const

/** Told at the picture's own field; everything else is told above the button. */
const isAboutCode = (problem: Error): boolean =>
  problem instanceof Refusal && (problem.error === "wrong_captcha" || problem.error === "captcha_expired")

/** /login: account or e-mail, password, and the code of a picture. Slide, wallet login and a forgotten password come later. */
export default function LoginPage() {
  const { t } = useLingui()
  const online = useOnline()
  const captcha = useCaptcha()
  const form = useForm<LoginForm>({ shouldFocusError: false, defaultValues: START })
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (fields: LoginForm) =>
      call("/api/auth/login", {
        ...fields,
        name: fields.name.trim(),
        code: fields.code.trim(),
        captcha_id: captcha.id ?? "",
      }),
    onSuccess: ({ token }) => startSession(token),
    onError: (problem) => {
      // A picture counts once, right or wrong; the password stays.
      form.setValue("code", "")
      captcha.refresh()
      if (isAboutCode(problem)) form.setError("code", { message: problem.message }, { shouldFocus: true })
    },
  })

  const fillDemoAccount = () => {
    form.setValue("name", DEMO_ACCOUNT.name, { shouldValidate: true })
    form.setValue("password", DEMO_ACCOUNT.password, { shouldValidate: true })
    form.setFocus("code")
  }

  return (
    <Page title={t`Log in`} header={<DoorHeader />}>
      {DEMO && <DemoAccount onFill={fillDemoAccount} />}
      <CheckedForm form={form} order={FIELDS} onSubmit={(fields) => login.mutate(fields)}>
        <Field
          label={t`Account or e-mail`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.name?.message}
          {...form.register("name", { required: t`Enter your account number or e-mail` })}
        />
        <PasswordField
          label={t`Password`}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register("password", { required: t`Enter your password` })}
        />
        <Field
          label={t`Code in the picture`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={
            errors.code?.message ??
            (captcha.error ? t`The picture didn't load. Ask for another one.` : undefined)
          }
          trailing={<CaptchaImage image={captcha.image} id={captcha.id} onRefresh={captcha.refresh} />}
          {...form.register("code", { required: t`Type the code you see` })}
        />
        {login.error && !isAboutCode(login.error) && <Notice tone="danger">{login.error.message}</Notice>}
        <div className="mt-6">
          <Button
            submit
            busy={login.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Log in</Trans>
          </Button>
        </div>
        <p className="mt-5 text-center text-t3">
          <Trans>
            New here? <TextLink to="/register">Create an account</TextLink>
          </Trans>
        </p>
        <InstallHint />
      </CheckedForm>
    </Page>
  )
}
