import { useLingui } from "@lingui/react/macro"
import { lazy, Suspense } from "react"
import type { UseFormRegisterReturn } from "react-hook-form"
import { bareCode } from "../lib/codes.ts"
import { DEMO } from "../lib/mode.ts"
import { type useResend, waitText } from "../lib/resend.ts"
import { Button } from "./Button.tsx"
import { Field } from "./Field.tsx"

// Only a demo installation loads it.
const DemoInbox = lazy(() => import("./DemoInbox.tsx"))

interface Props {
  /** Where more than one code is asked for: which this is. */
  label?: string
  resend: ReturnType<typeof useResend>
  /** The address that is typed: only the one that asked for the last code has to wait for the next. */
  to: string
  /** Whether a code is being asked for. */
  busy: boolean
  onAsk: () => void
  onCode: (code: string) => void
  error: string | undefined
  register: (options: {
    required: string
    validate: (text: string) => true | string
  }) => UseFormRegisterReturn
}

/** The button that has a code mailed, and the field for it. */
export function MailedCode({ label, resend, to, busy, onAsk, onCode, error, register }: Props) {
  const { t } = useLingui()
  const waits = to.trim() === resend.waiting && resend.seconds > 0
  return (
    <>
      <div className="mt-3">
        <Button kind="quiet" small busy={busy} disabled={waits} onPress={onAsk}>
          {waits
            ? waitText(resend.seconds)
            : resend.email !== "" && to.trim() === resend.email
              ? t`Send the code again`
              : t`Send code`}
        </Button>
      </div>
      {DEMO && resend.email !== "" && (
        <Suspense fallback={<div className="mt-2 min-h-11" />}>
          <DemoInbox email={resend.email} onCode={onCode} />
        </Suspense>
      )}
      <Field
        label={label ?? t`Code from the e-mail`}
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={resend.email === "" ? undefined : t`Sent to ${resend.email}`}
        error={error}
        {...register({
          required: t`Enter the code from the e-mail`,
          validate: (text) => /^\d{6}$/.test(bareCode(text)) || t`The code has six digits`,
        })}
      />
    </>
  )
}
