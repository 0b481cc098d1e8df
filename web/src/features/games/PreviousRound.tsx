import { Trans } from "@lingui/react/macro"
import { useState } from "react"
import type { ResultRow } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { HashRibbon } from "../../ui/HashRibbon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { RoundSheet } from "./RoundSheet.tsx"
import { VoidNote } from "./VoidNote.tsx"
import { useWords } from "./words.ts"

interface Props {
  /** Undefined before the first answer and before the first round's close. */
  round: ResultRow | undefined
}

/** The round before: its hash types itself in, then the result stands in words. */
export function PreviousRound({ round }: Props) {
  // The sheet stays with the round that was opened while newer ones are drawn behind it.
  const [opened, setOpened] = useState<ResultRow | null>(null)
  const detail = useSheet("round", opened !== null)
  // Its block doesn't exist: there is nothing to wait for.
  const isLost = round !== undefined && round.hash === null && round.void_reason !== null
  const check = () => {
    setOpened(round ?? null)
    detail.show()
  }
  return (
    <section className="mt-4 rounded-card bg-s1 p-4">
      <p className="min-h-[1.125rem] text-small text-t3">
        {round &&
          (round.hash === null && !isLost ? (
            <Trans>Drawing · block {formatCount(round.height)}</Trans>
          ) : (
            <Trans>Previous · block {formatCount(round.height)}</Trans>
          ))}
      </p>
      {!isLost && (
        <div className="mt-2.5">
          <HashRibbon hash={round?.hash} cells={12} large typing />
        </div>
      )}
      <div className="mt-3 flex min-h-7 flex-wrap items-center justify-between gap-x-3" aria-live="polite">
        <span className="text-h2">{round && <Result round={round} />}</span>
        {round?.hash && (
          <Pressable onPress={check} className="-my-2 min-h-11 shrink-0 text-small text-brand-text">
            <Trans>Check it yourself</Trans> ›
          </Pressable>
        )}
      </div>
      {round?.state === "void" && <VoidNote round={round} />}
      {opened && <RoundSheet round={opened} />}
    </section>
  )
}

function Result({ round }: { round: ResultRow }) {
  const result = useWords().result(round)
  if (round.outcome === null && round.void_reason === null) return <span className="text-t3">{result}</span>
  return (
    <>
      {round.outcome === null ? result : `${round.digit} · ${result}`}
      {round.state === "drawn" && (
        <span className="ml-2 text-small font-normal text-t3">
          <Trans>provisional</Trans>
        </span>
      )}
    </>
  )
}
