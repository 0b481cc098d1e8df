import { Trans, useLingui } from "@lingui/react/macro"
import { lazy, Suspense } from "react"
import { DEMO } from "../lib/mode.ts"
import { waitText } from "../lib/resend.ts"
import type { SecondFactor } from "../lib/secondFactor.ts"
import { Button } from "./Button.tsx"
import { Field } from "./Field.tsx"
import { Notice } from "./Notice.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { TextLink } from "./TextLink.tsx"

// Only a demo installation loads it.
const DemoInbox = lazy(() => import("./DemoInbox.tsx"))

type Shown = Pick<
  SecondFactor,
  "kind" | "account" | "email" | "code" | "problem" | "seconds" | "sent" | "sending" | "send" | "type"
>

/** Asks for the second factor that the member has: the authenticator's code, or one by e-mail. */
export function SecondFactorField({ factor, label }: { factor: Shown; label?: string }) {
  const { t } = useLingui()
  if (factor.kind === undefined) return <Skeleton className="mt-4 h-20 w-full rounded-chip" />
  if (factor.kind === "email" && factor.email === "")
    return (
      <Notice tone="warn">
        <Trans>
          The code comes by e-mail.{" "}
          <TextLink to="/me1" search={{ view: "email" }}>
            Bind an e-mail first
          </TextLink>
        </Trans>
      </Notice>
    )
  const field = (
    <Field
      label={label ?? (factor.kind === "google" ? t`Code from the authenticator` : t`Code from the e-mail`)}
      mono
      inputMode="numeric"
      autoComplete="one-time-code"
      value={factor.code}
      error={factor.problem && <span role="alert">{factor.problem}</span>}
      hint={factor.kind === "email" && factor.sent ? t`Sent to ${factor.email}` : undefined}
      onChange={(event) => factor.type(event.target.value)}
    />
  )
  if (factor.kind === "google") return field
  return (
    <>
      <div className="mt-4">
        <Button kind="quiet" small busy={factor.sending} disabled={factor.seconds > 0} onPress={factor.send}>
          {factor.seconds > 0
            ? waitText(factor.seconds)
            : factor.sent
              ? t`Send the code again`
              : t`Send code`}
        </Button>
      </div>
      {DEMO && factor.sent && (
        <Suspense fallback={<div className="mt-2 min-h-11" />}>
          <DemoInbox email={factor.account} onCode={factor.type} />
        </Suspense>
      )}
      {field}
    </>
  )
}
