import { useLingui } from "@lingui/react/macro"
import { lazy, Suspense } from "react"
import type { UseFormRegisterReturn } from "react-hook-form"
import { CaptchaImage } from "../../ui/CaptchaImage.tsx"
import { Field } from "../../ui/Field.tsx"
import { HeardTurn } from "../../ui/HeardTurn.tsx"
import type { Captcha } from "./captcha.ts"

// Seldom needed: it comes when it is asked for.
const TonesField = lazy(() => import("../../ui/TonesField.tsx"))

export interface CaptchaProps extends UseFormRegisterReturn {
  captcha: Captcha
  error: string | undefined
}

/** The field for what a picture says; whoever can't see it counts tones. */
export function CaptchaField(props: CaptchaProps) {
  const { t } = useLingui()
  const { captcha, error, ...field } = props
  return (
    <>
      {captcha.heard ? (
        <Suspense>
          <TonesField {...props} />
        </Suspense>
      ) : (
        <Field
          label={t`Code in the picture`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={captcha.error ? t`The picture didn't load. Ask for another one.` : error}
          trailing={<CaptchaImage image={captcha.drawn?.image} id={captcha.id} onRefresh={captcha.refresh} />}
          {...field}
        />
      )}
      <HeardTurn heard={captcha.heard} onTurn={captcha.turn} />
    </>
  )
}
