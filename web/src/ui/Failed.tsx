import { Trans, useLingui } from "@lingui/react/macro"
import { Refusal } from "../lib/api.ts"
import { mendOf } from "../lib/mending.ts"
import { useOnline } from "../lib/network.ts"
import { Button } from "./Button.tsx"

/** It couldn't be loaded, or isn't allowed, and there is nothing older to show: why, and the way on. */
export function Failed({ problem, onRetry }: { problem?: Error | null; onRetry: () => void }) {
  const { t } = useLingui()
  const online = useOnline()
  const mend = mendOf(problem)
  // Asking again doesn't switch it on.
  const isOff = problem instanceof Refusal && problem.error === "feature_off"
  const text =
    problem instanceof Refusal
      ? problem.message
      : online
        ? t`Server error, please try again later`
        : t`No connection to the server`
  return (
    <div role="alert" className="mt-4 rounded-card bg-s1 p-5 text-center">
      <p className="text-t2">{text}</p>
      {!isOff && (
        <div className="mt-4">
          {mend ? (
            <Button kind="quiet" small {...mend}>
              <Trans>Fix this</Trans>
            </Button>
          ) : (
            <Button kind="quiet" small onPress={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
