import { Trans, useLingui } from "@lingui/react/macro"
import { lazy, Suspense, useMemo } from "react"
import { Controller, type UseFormReturn } from "react-hook-form"
import { countries } from "../../lib/countries.ts"
import { today } from "../../lib/days.ts"
import { Check } from "../../ui/Check.tsx"
import { Field } from "../../ui/Field.tsx"
import { Select } from "../../ui/Select.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import type { RegisterForm } from "./registerForm.ts"

// Long, and behind a press.
const Terms = lazy(() => import("./Terms.tsx"))

/** Country and birth date, which may be left out, and the terms to agree to. */
export function PersonGroup({ form }: { form: UseFormReturn<RegisterForm> }) {
  const { t, i18n } = useLingui()
  const sheet = useSheet("terms")
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names change with the language
  const names = useMemo(countries, [i18n.locale])
  return (
    <>
      <Select
        label={t`Country (optional)`}
        placeholder={t`Not given`}
        options={names}
        autoComplete="country"
        {...form.register("country")}
      />
      <Field
        label={t`Birth date (optional)`}
        type="date"
        autoComplete="bday"
        max={today()}
        error={form.formState.errors.birth_date?.message}
        {...form.register("birth_date", {
          validate: (day) => day === "" || day <= today() || t`This day is still to come`,
        })}
      />
      <Controller
        control={form.control}
        name="terms"
        rules={{ required: t`Please read the terms and agree to them` }}
        render={({ field, fieldState }) => (
          <Check
            ref={field.ref}
            checked={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          >
            <Trans>
              I have read the <TextLink onPress={sheet.show}>terms</TextLink> and agree to them
            </Trans>
          </Check>
        )}
      />
      <Suspense fallback={null}>
        <Terms sheet={sheet} />
      </Suspense>
    </>
  )
}
