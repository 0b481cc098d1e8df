import { useLingui } from "@lingui/react/macro"
import { useMemo } from "react"
import { Controller, type UseFormReturn } from "react-hook-form"
import { countries } from "../../lib/countries.ts"
import { today } from "../../lib/days.ts"
import { DateField } from "../../ui/DateField.tsx"
import { Select } from "../../ui/Select.tsx"
import { useDateCheck } from "../../ui/useDateCheck.ts"
import type { RegisterForm } from "./registerForm.ts"

const EARLIEST = "1900-01-01"

/** Country and birth date, which may be left out. */
export default function PersonFields({ form }: { form: UseFormReturn<RegisterForm> }) {
  const { t, i18n } = useLingui()
  const wrong = useDateCheck()
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
      <Controller
        control={form.control}
        name="birth_date"
        rules={{ validate: (text) => wrong(text, { min: EARLIEST, max: today() }) }}
        render={({ field, fieldState }) => (
          <DateField
            label={t`Birth date (optional)`}
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
