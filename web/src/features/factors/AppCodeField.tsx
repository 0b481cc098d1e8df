import { useLingui } from "@lingui/react/macro"
import type { UseFormRegisterReturn } from "react-hook-form"
import { bareCode } from "../../lib/codes.ts"
import { Field } from "../../ui/Field.tsx"

interface Props {
  error: string | undefined
  /** Whether a recovery code may stand in for the app's. */
  recovery?: boolean | undefined
  register: (options: { validate: (text: string) => true | string }) => UseFormRegisterReturn
}

const CODE = /^[0-9]{6}$/
const RECOVERY_CODE = /^[0-9A-Za-z]{12}$/

/** The code that an authenticator shows now. It lives a minute, so it stands last in its form. */
export function AppCodeField({ error, recovery, register }: Props) {
  const { t } = useLingui()
  const fits = (code: string) => CODE.test(code) || (recovery === true && RECOVERY_CODE.test(code))
  return (
    <Field
      label={t`Code from the authenticator`}
      hint={recovery ? t`Six digits from the app, or one of your recovery codes` : undefined}
      mono
      inputMode={recovery ? "text" : "numeric"}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      {...register({
        validate: (text) =>
          fits(bareCode(text)) ||
          (recovery ? t`Six digits, or the twelve signs of a recovery code` : t`The code has six digits`),
      })}
    />
  )
}
