import { useLingui } from "@lingui/react/macro"
import { useMemo } from "react"
import { Controller, type UseFormReturn } from "react-hook-form"
import { countries } from "../../lib/countries.ts"
import { today } from "../../lib/days.ts"
import { DEMO } from "../../lib/mode.ts"
import { DateField } from "../../ui/DateField.tsx"
import { Select } from "../../ui/Select.tsx"
import { useDateCheck } from "../../ui/useDateCheck.ts"
import type { RegisterForm } from "./registerForm.ts"

const EARLIEST = "1900-01-01"

/** Country and birth date; only demo mode does without them. */
export default function PersonFields({ form }: { form: UseFormReturn<RegisterForm> }) {
  const { t, i18n } = useLingui()
  const wrong = useDateCheck()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names change with the language
  const names = useMemo(countries, [i18n.locale])
  const required = !DEMO && t`This is needed`
  return (
    <>
      <Select
        label={DEMO ? t`Country (optional)` : t`Country`}
        placeholder={DEMO ? t`Not given` : t`Choose your country`}
        options={names}
        autoComplete="country"
        error={form.formState.errors.country?.message}
        {...form.register("country", { required })}
      />
      <Controller
        control={form.control}
        name="birth_date"
        rules={{ required, validate: (text) => wrong(text, { min: EARLIEST, max: today() }) }}
        render={({ field, fieldState }) => (
          <DateField
            label={DEMO ? t`Birth date (optional)` : t`Birth date`}
            birth
            ref={field.ref}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            error={fieldState.error?.message}
          />
        )}
      />
    </>
  )
}
