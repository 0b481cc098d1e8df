import { useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { refresh } from "../lib/refreshing.ts"
import { IconButton } from "./IconButton.tsx"

/** What a pull does, for whoever can't pull (WCAG 2.5.7): asks anew for all that the page shows. */
export function RefreshButton() {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const press = () => {
    setBusy(true)
    void refresh().finally(() => setBusy(false))
  }
  return (
    <>
      <span role="status" className="sr-only">
        {busy && t`Refreshing`}
      </span>
      <IconButton
        icon="refresh"
        size={5}
        label={t`Refresh`}
        disabled={busy}
        className="text-t3"
        onPress={press}
      />
    </>
  )
}
