import { useLingui } from "@lingui/react/macro"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { RuleList } from "../../ui/RuleList.tsx"
import type { RegisterForm } from "./registerForm.ts"
import { passwordFits, passwordRules } from "./rules.ts"

/** The password, with its rules ticked while it is typed. Nothing is cut: a pasted one that is too long must be seen to be. */
export function PasswordGroup({ form }: { form: UseFormReturn<RegisterForm> }) {
  const { t } = useLingui()
  const password = useWatch({ control: form.control, name: "password" })
  const rules = passwordRules(password)
  return (
    <>
      <PasswordField
        label={t`Password`}
        autoComplete="new-password"
        error={form.formState.errors.password?.message}
        {...form.register("password", {
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
