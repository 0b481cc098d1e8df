import { useLingui } from "@lingui/react/macro"
import type { FieldValues, Path, UseFormReturn } from "react-hook-form"
import { PasswordField } from "../../ui/PasswordField.tsx"

const FORM = /^[0-9]{6,20}$/

/** The withdrawal password, which says that it is the member who acts. */
export function OutPasswordField<F extends FieldValues & { out_password: string }>({
  form,
}: {
  form: UseFormReturn<F>
}) {
  const { t } = useLingui()
  const name = "out_password" as Path<F>
  const message = form.formState.errors.out_password?.message
  return (
    <PasswordField
      label={t`Withdrawal password`}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      error={typeof message === "string" ? message : undefined}
      {...form.register(name, {
        validate: (text) => FORM.test(text) || t`6-20 characters, digits only`,
      })}
    />
  )
}
