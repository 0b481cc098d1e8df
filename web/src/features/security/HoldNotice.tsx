import { Trans } from "@lingui/react/macro"
import { formatDateTime } from "../../lib/time.ts"
import { Notice } from "../../ui/Notice.tsx"

/** Until when withdrawals wait because something was changed; nothing where none wait. */
export function HoldNotice({ until }: { until: number | null }) {
  if (until === null) return null
  const end = formatDateTime(until)
  return (
    <Notice tone="warn">
      <Trans>
        Withdrawals are on hold until {end}, because your security settings changed. Everything else goes on.
      </Trans>
    </Notice>
  )
}
