import { Trans, useLingui } from "@lingui/react/macro"
import { Refusal } from "../lib/api.ts"
import { Button } from "./Button.tsx"

/** Something couldn't be loaded and there is nothing older to show. */
export function Failed({ problem, onRetry }: { problem?: Error | null; onRetry: () => void }) {
  const { t } = useLingui()
  const text = problem instanceof Refusal ? problem.message : t`Server error, please try again later`
  return (
    <div role="alert" className="mt-4 rounded-card bg-s1 p-5 text-center">
      <p className="mb-4 text-t2">{text}</p>
      <Button kind="quiet" small onPress={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}
