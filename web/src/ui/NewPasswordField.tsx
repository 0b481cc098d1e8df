import { useLingui } from "@lingui/react/macro"
import type { UseFormRegisterReturn } from "react-hook-form"
import { passwordFits, passwordRules } from "../lib/credentials.ts"
import { PasswordField } from "./PasswordField.tsx"
import { RuleList } from "./RuleList.tsx"

interface Props {
  label: string
  value: string
  error: string | undefined
  register: (options: { validate: (text: string) => true | string }) => UseFormRegisterReturn
}

/** A new password, with its rules ticked while it is typed. Nothing is cut: a pasted one that is too long must be seen to be. */
export function NewPasswordField({ label, value, error, register }: Props) {
  const { t } = useLingui()
  const rules = passwordRules(value)
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        error={error}
        {...register({
          validate: (text) => passwordFits(text) || t`6-20 characters, letters and digits both required`,
        })}
      />
      <RuleList
        rules={[
          { text: t`6 to 20 characters`, met: rules.length },
          { text: t`a letter from A to Z`, met: rules.letter },
          { text: t`a digit`, met: rules.digit },
          { text: t`no other characters`, met: rules.only },
        ]}
      />
    </>
  )
}
