import { Trans, useLingui } from "@lingui/react/macro"
import type { ErrorComponentProps } from "@tanstack/react-router"
import { Suspense, useEffect } from "react"
import { useOnline } from "../lib/network.ts"
import { warn } from "../lib/notices.ts"
import { optional } from "../lib/optional.ts"
import { LostCode, reloadOnReturn } from "../lib/reload.ts"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

const CopyDetails = optional(() => import("./CopyDetails.tsx"))

/** A screen whose code failed or didn't come: says so, offers to load it anew, and what to report. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const online = useOnline()
  const lost = error instanceof LostCode
  useEffect(() => (lost ? reloadOnReturn() : undefined), [lost])
  return lost && !online ? <Unreached /> : <Broken error={error} />
}

/** Nothing is wrong with it: there is no connection, and it loads by itself once there is. */
function Unreached() {
  const { t } = useLingui()
  return (
    <Page title={t`No connection`} back="/home">
      <Empty
        text={
          <Trans>This screen isn't on this device yet. It loads by itself once the connection is back.</Trans>
        }
        action={
          <Button kind="quiet" to="/home">
            <Trans>Go to Home</Trans>
          </Button>
        }
      />
    </Page>
  )
}

function Broken({ error }: { error: unknown }) {
  const { t } = useLingui()
  // A reload without a connection would leave the browser's own page.
  const again = () => (navigator.onLine ? location.reload() : warn(t`No connection`))
  return (
    <Page title={t`Something went wrong`} back="/home">
      <Empty
        text={<Trans>This screen failed to show. Your money isn't affected by that.</Trans>}
        action={
          <div className="flex flex-col gap-2">
            <Button onPress={again}>
              <Trans>Load it again</Trans>
            </Button>
            <Button kind="quiet" to="/home">
              <Trans>Go to Home</Trans>
            </Button>
            <Suspense>
              <CopyDetails error={error} />
            </Suspense>
          </div>
        }
      />
    </Page>
  )
}
