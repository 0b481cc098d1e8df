import { Trans } from "@lingui/react/macro"
import { formatDateTime } from "../../lib/time.ts"
import { Notice } from "../../ui/Notice.tsx"

/** Until when the member has stopped playing; nothing while there is no pause. */
export function PausedNotice({ paused, excluded }: { paused: number | null; excluded: number | null }) {
  if (excluded !== null && excluded >= (paused ?? 0)) {
    return (
      <Notice tone="warn">
        <Trans>You have excluded yourself until {formatDateTime(excluded)}. Nobody can shorten this.</Trans>
      </Notice>
    )
  }
  if (paused === null) return null
  return (
    <Notice tone="warn">
      <Trans>You take a break until {formatDateTime(paused)}. Nobody can shorten it.</Trans>
    </Notice>
  )
}
