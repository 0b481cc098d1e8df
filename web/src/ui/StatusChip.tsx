import type { MessageDescriptor } from "@lingui/core"
import { msg } from "@lingui/core/macro"
import { useLingui } from "@lingui/react/macro"
import { Tag, type Tone } from "./Tag.tsx"

const STATUSES: Record<string, [MessageDescriptor, Tone]> = {
  pending_review: [msg`Pending review`, "warn"],
  on_chain_processing: [msg`On-chain processing`, "info"],
  approved: [msg`Approved`, "up"],
  refused: [msg`Refused`, "down"],
  failed: [msg`Failed`, "down"],
  open: [msg`Open`, "info"],
  sealed: [msg`Closed`, "warn"],
  drawn: [msg`Drawn`, "info"],
  settled: [msg`Settled`, "quiet"],
  void: [msg`Void`, "quiet"],
  awaiting_draw: [msg`Awaiting draw`, "info"],
  won: [msg`Won`, "gold"],
  not_won: [msg`Not won`, "quiet"],
}

/** A status of the wire in words; one that this build doesn't know is said to be unknown. */
export function StatusChip({ status, note }: { status: string; note?: string }) {
  const { i18n, t } = useLingui()
  const [text, tone] = STATUSES[status] ?? [null, "quiet" as Tone]
  return (
    <Tag tone={tone}>
      {text ? i18n._(text) : t`unknown status`}
      {note === undefined ? "" : ` ${note}`}
    </Tag>
  )
}
