import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { lazy, Suspense, useRef, useState } from "react"
import { useForm } from "react-hook-form"
import { call, Refusal } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { keepDevice, knownDevice } from "../../lib/device.ts"
import { DEMO } from "../../lib/mode.ts"
import { useOnline } from "../../lib/network.ts"
import { startSession } from "../../lib/session.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { CaptchaField } from "./CaptchaField.tsx"
import { useCaptcha } from "./captcha.ts"
import { DEMO_ACCOUNT, DemoAccount } from "./DemoAccount.tsx"
import { DoorHeader } from "./DoorHeader.tsx"
import { GoogleCodeField } from "./GoogleCodeField.tsx"
import { InstallHint } from "./InstallHint.tsx"

// Seldom needed: it comes when it is asked for.
const WalletLogin = lazy(() => import("./WalletLogin.tsx"))
// After failures alone: it comes when it is asked for.
const SlideSheet = lazy(async () => ({ default: (await import("../../ui/SlideSheet.tsx")).SlideSheet }))

interface LoginFields {
  name: string
  password: string
  code: string
  google_code: string
}

const START: LoginFields = { name: "", password: "", code: "", google_code: "" }
const FIELDS = ["name", "password", "code", "google_code"] as const

const errorOf = (problem: Error | null): string | null => (problem instanceof Refusal ? problem.error : null)

/** The field that a refusal is told at; everything else is told above the button. */
function fieldOf(problem: Error | null): "code" | "google_code" | null {
  const error = errorOf(problem)
  if (error === "wrong_captcha" || error === "captcha_expired") return "code"
  return error === "wrong_code" ? "google_code" : null
}

/** Account or e-mail, password and the code of a picture, or tones that are counted; after failures a slide, and the second factor of who has one. */
export function LoginForm({ closed }: { closed: boolean }) {
  const { t } = useLingui()
  const online = useOnline()
  // After a reload nothing is left that the slide would send.
  const [slideWanted, setSlideWanted] = useState(false)
  const slide = useSheet("slide", slideWanted)
  const wallet = useSheet("wallet")
  const proof = useRef<string>(undefined)
  const [needsGoogle, setNeedsGoogle] = useState(false)
  const form = useForm<LoginFields>({
    shouldFocusError: false,
    defaultValues: { ...START, name: useRouter().state.location.state.name ?? "" },
  })
  const { errors } = form.formState
  const captcha = useCaptcha(() => form.resetField("code"))

  const login = useMutation({
    mutationFn: ({ name, password, code, google_code }: LoginFields) =>
      call(
        "/api/auth/login",
        {
          name: name.trim(),
          password,
          code: code.trim(),
          captcha_id: captcha.id ?? "",
          ...(proof.current === undefined ? {} : { proof: proof.current }),
          ...(google_code === "" ? {} : { google_code: bareCode(google_code) }),
          ...knownDevice(),
        },
        { quiet: true },
      ),
    onSuccess: (answer) => {
      if ("need" in answer) {
        // The same picture and slide serve once more.
        setNeedsGoogle(true)
        return
      }
      keepDevice(answer.device)
      startSession(answer.token)
    },
    onError: (problem) => {
      const error = errorOf(problem)
      // Where a slide is missing the picture hasn't been used up yet.
      if (error === "slide_required" && proof.current === undefined) {
        setSlideWanted(true)
        return slide.show()
      }
      // A picture counts once, right or wrong, and so does a slide; the password stays.
      if (error !== "wrong_captcha") proof.current = undefined
      form.setValue("code", "")
      form.setValue("google_code", "")
      captcha.refresh()
      const field = fieldOf(problem)
      if (field) form.setError(field, { message: problem.message }, { shouldFocus: true })
    },
  })
  const told = login.error && errorOf(login.error) !== "slide_required" && fieldOf(login.error) === null

  const fillDemoAccount = () => {
    form.setValue("name", DEMO_ACCOUNT.name, { shouldValidate: true })
    form.setValue("password", DEMO_ACCOUNT.password, { shouldValidate: true })
    form.setFocus("code")
  }

  return (
    <Page title={t`Log in`} header={<DoorHeader />}>
      {closed && (
        <Notice>
          <Trans>Your account is closed. Nobody can log in to it any more.</Trans>
        </Notice>
      )}
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
        <p className="mt-1 -mb-2 text-right">
          <TextLink to="/login" search={{ view: "forgot" }}>
            <Trans>Forgotten password</Trans>
          </TextLink>
        </p>
        <CaptchaField
          captcha={captcha}
          error={errors.code?.message}
          {...form.register("code", { required: t`This is needed` })}
        />
        {needsGoogle && (
          <GoogleCodeField error={errors.google_code?.message} {...form.register("google_code")} />
        )}
        {told && (
          <Notice tone="danger">
            {login.error?.message}
            {errorOf(login.error) === "account_frozen" && (
              <p>
                <TextLink to="/login" search={{ view: "forgot" }}>
                  <Trans>Set a new password</Trans>
                </TextLink>
              </p>
            )}
          </Notice>
        )}
        <div className="mt-6">
          <Button
            submit
            busy={login.isPending}
            {...(online ? {} : { reason: t`No connection to the server` })}
          >
            <Trans>Log in</Trans>
          </Button>
        </div>
      </CheckedForm>
      <div className="mt-3">
        <Button kind="quiet" icon="assets" onPress={wallet.show}>
          <Trans>Log in with a wallet</Trans>
        </Button>
      </div>
      <Sheet sheet={wallet} title={t`Log in with a wallet`}>
        <Suspense fallback={<Skeleton className="h-32 rounded-card" />}>
          <WalletLogin />
        </Suspense>
      </Sheet>
      <p className="mt-5 text-center text-t3">
        <Trans>
          New here? <TextLink to="/register">Create an account</TextLink>
        </Trans>
      </p>
      <InstallHint />
      {slideWanted && (
        <Suspense>
          <SlideSheet
            sheet={slide}
            onProof={(given) => {
              proof.current = given
              login.mutate(form.getValues())
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}
