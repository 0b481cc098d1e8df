import { Trans, useLingui } from "@lingui/react/macro"
import { lazy, Suspense } from "react"
import { Controller, type UseFormReturn } from "react-hook-form"
import { Check } from "../../ui/Check.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import type { RegisterForm } from "./registerForm.ts"

// At the foot of a long form.
const PersonFields = lazy(() => import("./PersonFields.tsx"))
// Long, and behind a press.
const Terms = lazy(() => import("./Terms.tsx"))

/** Country and birth date, and the terms to agree to. */
export function PersonGroup({ form }: { form: UseFormReturn<RegisterForm> }) {
  const { t } = useLingui()
  const sheet = useSheet("terms")
  return (
    <>
      <Suspense fallback={<Skeleton className="mt-4 h-[10.5rem] w-full rounded-chip" />}>
        <PersonFields form={form} />
      </Suspense>
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
