import { Plural, Trans } from "@lingui/react/macro"
import type { ReactNode } from "react"
import { formatDateTime } from "../../lib/time.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { WithdrawalRow } from "./queries.ts"
import { useRiskWords } from "./useRiskWords.ts"

export type Course = Pick<
  WithdrawalRow,
  "status" | "reason" | "risks" | "needed" | "confirmations" | "required" | "requested_at" | "changed_at"
>

type State = "done" | "now" | "later" | "failed"

/** Where a withdrawal stands: asked for, looked at, on the chain, arrived; or given back, and why. */
export function Progress({ row }: { row: Course }) {
  const { status, needed, risks, reason, confirmations, required, requested_at, changed_at } = row
  const wordsOf = useRiskWords()
  const isSent = status === "approved"
  const returned = status === "refused" || status === "failed"
  return (
    <ol className="flex flex-col gap-3">
      <Step state="done" name={<Trans>Asked for</Trans>} note={formatDateTime(requested_at)} />
      {needed > 0 && (
        <Step
          state={status === "pending_review" ? "now" : status === "refused" ? "failed" : "done"}
          name={
            status === "pending_review" ? (
              <Plural value={needed} one="# person looks at it" other="# people look at it" />
            ) : status === "refused" ? (
              <Trans>Refused</Trans>
            ) : (
              <Trans>Looked at and agreed to</Trans>
            )
          }
          note={status === "refused" ? reason : risks.map(wordsOf).join(" ")}
        />
      )}
      {status !== "refused" && (
        <Step
          state={
            status === "failed" ? "failed" : isSent ? "done" : status === "pending_review" ? "later" : "now"
          }
          name={status === "failed" ? <Trans>Failed on the chain</Trans> : <Trans>On the chain</Trans>}
          note={
            // How many it takes is the list's to say.
            status === "failed" || required === 0 ? null : (
              <Trans>
                {confirmations} of <Plural value={required} one="# confirmation" other="# confirmations" />
              </Trans>
            )
          }
        />
      )}
      {returned ? (
        <Step
          state="done"
          name={<Trans>Given back</Trans>}
          note={
            <Trans>The amount and its fee are available again, since {formatDateTime(changed_at)}.</Trans>
          }
        />
      ) : (
        <Step
          state={isSent ? "done" : "later"}
          name={isSent ? <Trans>Arrived</Trans> : <Trans>Arrives at the address</Trans>}
          note={isSent ? formatDateTime(changed_at) : null}
        />
      )}
    </ol>
  )
}

const LOOKS: Readonly<Record<State, string>> = {
  done: "bg-s2 text-up",
  now: "bg-s2 text-info ring-2 ring-brand-text ring-inset",
  later: "bg-s2 text-t3",
  failed: "bg-s2 text-danger",
}
const ICONS = { done: "check", now: "clock", later: "clock", failed: "close" } as const

function Step({ state, name, note }: { state: State; name: ReactNode; note: ReactNode }) {
  return (
    <li aria-current={state === "now" ? "step" : undefined} className="flex items-start gap-3">
      <span className={`grid size-7 shrink-0 place-items-center rounded-cell ${LOOKS[state]}`}>
        <Icon name={ICONS[state]} size={4} />
      </span>
      <span className={`min-w-0 flex-1 pt-0.5 ${state === "later" ? "text-t3" : "text-t1"}`}>
        {name}
        {note !== null && note !== "" && <span className="block text-small break-words text-t3">{note}</span>}
      </span>
    </li>
  )
}
