import { useLingui } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { useForm } from "react-hook-form"
import type { Body, Data } from "../../lib/api.ts"
import { bareCode } from "../../lib/codes.ts"
import { useSecondFactor } from "../../lib/secondFactor.ts"
import { CheckedForm } from "../../ui/CheckedForm.tsx"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { SecondFactorField } from "../../ui/SecondFactorField.tsx"
import { SlideSheet } from "../../ui/SlideSheet.tsx"
import { AppCodeField } from "./AppCodeField.tsx"
import { SendButton } from "./SendButton.tsx"
import { useProven } from "./useProven.ts"

type Path = "/api/user/bindGoogle" | "/api/user/unbindGoogle"

interface Props<P extends Path> {
  path: P
  /** What the mailed code is for. */
  scene: Body<"/api/user/sendEmail">["scene"]
  /** For a step that takes away: a recovery code will do, and the button warns. */
  removes?: boolean
  body: (password: string, code: string, email_code: string) => Omit<Body<P>, "proof">
  onDone: (data: Data<P>) => void
  /** It is bound or unbound already, or its secret has expired. */
  onOtherState: () => void
  children: ReactNode
}

/** What binding and unbinding ask for: the log-in password, a mailed code and the app's. */
export function ConfirmForm<P extends Path>({ path, scene, removes, onOtherState, ...props }: Props<P>) {
  const { t } = useLingui()
  const form = useForm({ shouldFocusError: false, defaultValues: { password: "", code: "" } })
  const { errors } = form.formState
  const factor = useSecondFactor(scene, {}, "email")
  const change = useProven(path, {
    body: () => {
      const { password, code } = form.getValues()
      return props.body(password, bareCode(code), bareCode(factor.code))
    },
    onDone: props.onDone,
    onRefused: (refusal) => {
      switch (refusal.error) {
        case "wrong_code": {
          const text = t`One of the two codes is wrong`
          factor.complain(text)
          form.setError("code", { message: text }, { shouldFocus: true })
          return true
        }
        case "wrong_credentials":
          form.setError("password", { message: t`This isn't your log-in password` }, { shouldFocus: true })
          return true
        case "wrong_state":
          onOtherState()
          return true
        default:
          return factor.refused(refusal)
      }
    },
  })
  return (
    <>
      <CheckedForm form={form} order={["password", "code"]} onSubmit={change.slide.show}>
        <PasswordField
          label={t`Log-in password`}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register("password", { required: t`Enter your password` })}
        />
        <SecondFactorField factor={factor} />
        <AppCodeField
          recovery={removes}
          error={errors.code?.message}
          register={(options) => form.register("code", options)}
        />
        <SendButton danger={removes} complete={factor.complete} busy={change.busy} problem={change.problem}>
          {props.children}
        </SendButton>
      </CheckedForm>
      <SlideSheet sheet={change.slide} onProof={change.send} />
    </>
  )
}
