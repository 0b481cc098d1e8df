import { Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { useOnline } from "../lib/network.ts"
import type { Receipt } from "../lib/receipts.ts"
import { Button } from "./Button.tsx"
import { Notice } from "./Notice.tsx"
import { Problem } from "./Problem.tsx"
import type { Review } from "./useReview.ts"

interface Props<B extends object, A extends Receipt> {
  review: Review<B, A>
  /** What will be reviewed; null while the form isn't complete. */
  body: B | null
  /** Why it can't be sent as it stands. */
  reason?: ReactNode
  children: ReactNode
}

/** The form's one button. While an earlier payment has no answer, it leads to that one: no second is begun. */
export function ReviewButton<B extends object, A extends Receipt>({
  review: { state, sheet, review },
  body,
  reason,
  children,
}: Props<B, A>) {
  const online = useOnline()
  if (state.unanswered || state.step === "sending") {
    return (
      <>
        <Notice tone="warn">
          <Trans>Your last payment has no answer yet. It is being checked.</Trans>
        </Notice>
        <div className="mt-3">
          <Button onPress={sheet.show}>
            <Trans>Show it</Trans>
          </Button>
        </div>
      </>
    )
  }
  const why = online ? reason : <Trans>No connection to the server</Trans>
  return (
    <>
      <Problem problem={sheet.shown ? null : state.problem} />
      <Button
        disabled={body === null}
        onPress={() => body !== null && review(body)}
        {...(why !== undefined && { reason: why })}
      >
        {children}
      </Button>
    </>
  )
}
