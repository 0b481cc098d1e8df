import { useLingui } from "@lingui/react/macro"
import { type UseFormReturn, useWatch } from "react-hook-form"
import { PasswordField } from "../../ui/PasswordField.tsx"
import { RuleList } from "../../ui/RuleList.tsx"
import { type OutPasswordFields, outPasswordFits, outPasswordRules } from "./outPassword.ts"

/** The new withdrawal password, with its rules ticked while it is typed, and the same once more. */
export function NewOutPassword({ form }: { form: UseFormReturn<OutPasswordFields> }) {
  const { t } = useLingui()
  const { errors } = form.formState
  const rules = outPasswordRules(useWatch({ control: form.control, name: "next" }))
  return (
    <>
      <PasswordField
        label={t`New withdrawal password`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.next?.message}
        {...form.register("next", {
          validate: {
            fits: (text) => outPasswordFits(text) || t`6-20 characters, digits only`,
            differs: (text, { old }) => text !== old || t`New password must differ from the old`,
          },
        })}
      />
      <RuleList
        rules={[
          { text: t`6 to 20 characters`, met: rules.length },
          { text: t`digits only`, met: rules.only },
        ]}
      />
      <PasswordField
        label={t`New withdrawal password once more`}
        inputMode="numeric"
        autoComplete="off"
        error={errors.again?.message}
        {...form.register("again", {
          validate: (text, { next }) => text === next || t`The two new entries must match`,
        })}
      />
    </>
  )
}
