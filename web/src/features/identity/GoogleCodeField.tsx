import { useLingui } from "@lingui/react/macro"
import type { UseFormRegisterReturn } from "react-hook-form"
import { Field } from "../../ui/Field.tsx"

interface Props extends UseFormRegisterReturn {
  error: string | undefined
}

/** The second factor of somebody who isn't logged in. */
export function GoogleCodeField({ error, ...field }: Props) {
  const { t } = useLingui()
  return (
    <Field
      label={t`Code of your authenticator`}
      hint={t`Six digits from the app, or one of your recovery codes`}
      mono
      autoFocus
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      {...field}
    />
  )
}
