import { useLingui } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { useOnline } from "../../lib/network.ts"
import { Button } from "../../ui/Button.tsx"
import { Problem } from "../../ui/Problem.tsx"

interface Props {
  /** Whether the code that was mailed, or the app's, could be right. */
  complete: boolean
  busy: boolean
  problem: Error | null
  danger?: boolean | undefined
  children: ReactNode
}

/** Sends a form with a code; says why where it can't be sent, and why it was refused where no field says it. */
export function SendButton({ complete, busy, problem, danger, children }: Props) {
  const { t } = useLingui()
  const online = useOnline()
  const reason = !online
    ? t`No connection to the server`
    : complete
      ? undefined
      : t`Enter the six digits of the code above.`
  return (
    <div className="mt-6">
      <Problem problem={problem} />
      <Button
        submit
        kind={danger ? "danger" : "primary"}
        busy={busy}
        {...(reason !== undefined && { reason })}
      >
        {children}
      </Button>
    </div>
  )
}
