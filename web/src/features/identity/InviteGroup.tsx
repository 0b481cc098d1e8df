import { useLingui } from "@lingui/react/macro"
import type { UseFormReturn } from "react-hook-form"
import { DEMO } from "../../lib/mode.ts"
import { Field } from "../../ui/Field.tsx"
import type { RegisterForm } from "./registerForm.ts"

interface Props {
  form: UseFormReturn<RegisterForm>
  /** The code came with the link and stays as it is, unless the server knows none such. */
  locked: boolean
}

// The code of a demo installation's root account (specification, "Demo mode").
const DEMO_CODE = "KALOS1"

/** The inviter's code. */
export function InviteGroup({ form, locked }: Props) {
  const { t } = useLingui()
  const hint = locked
    ? t`From your invitation link`
    : DEMO
      ? t`Ask your inviter for it. In this demo ${DEMO_CODE} works.`
      : t`Ask the person who invited you for it`
  return (
    <Field
      label={t`Invitation code`}
      mono
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      readOnly={locked}
      hint={hint}
      error={form.formState.errors.invite_code?.message}
      {...form.register("invite_code", { required: t`Enter the invitation code` })}
    />
  )
}
