import { Trans } from "@lingui/react/macro"
import type { ResultRow } from "../../lib/api.gen.ts"
import { formatCount } from "../../lib/money.ts"
import { useWords } from "./words.ts"

/** Why a round decides nothing, with the block that says so. */
export function VoidNote({ round }: { round: Pick<ResultRow, "void_reason" | "height"> }) {
  const words = useWords()
  const reason = words.voidReason(round.void_reason ?? "")
  return (
    <p className="mt-1 text-small text-t2">
      <Trans>
        Void, because {reason} (block {formatCount(round.height)}). All stakes went back.
      </Trans>
    </p>
  )
}
