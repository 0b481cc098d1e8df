import { Trans, useLingui } from "@lingui/react/macro"
import { type ReactNode, useState } from "react"
import { useOnline } from "../lib/network.ts"
import type { Disclosure } from "../lib/payment.ts"
import { Button } from "./Button.tsx"
import { Check } from "./Check.tsx"
import { Notice } from "./Notice.tsx"
import { Problem } from "./Problem.tsx"
import type { Terms } from "./ReviewSheet.tsx"

interface Props {
  note: ReactNode
  terms: Terms | undefined
  sending: boolean
  problem: Error | null
  sentence: ReactNode
  onConfirm: (accepted: Disclosure | null) => void
}

/** The end of a review: what is at risk, what must be accepted, and the sentence to press. */
export function ReviewTerms({ note, terms, sending, problem, sentence, onConfirm }: Props) {
  const { t } = useLingui()
  const [agreed, setAgreed] = useState(false)
  const online = useOnline()
  const missing = !online
    ? t`No connection to the server`
    : terms && !agreed
      ? t`Read and accept the notice first`
      : undefined
  return (
    <>
      {note !== undefined && <Notice tone="warn">{note}</Notice>}
      {terms && (
        <section className="mt-4 rounded-chip bg-s2 px-3 pt-3 pb-4 text-small">
          <div className="text-t2">{terms.text}</div>
          <Check checked={agreed} onChange={setAgreed}>
            <Trans>I have read this and accept it</Trans>
          </Check>
        </section>
      )}
      <div className="mt-5">
        <Problem problem={problem} />
        <Button
          busy={sending}
          onPress={() => onConfirm(terms ? { feature: terms.feature, version: terms.version } : null)}
          {...(missing !== undefined && { reason: missing })}
        >
          {sentence}
        </Button>
      </div>
    </>
  )
}
