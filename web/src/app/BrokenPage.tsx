import { Trans, useLingui } from "@lingui/react/macro"
import type { ErrorComponentProps } from "@tanstack/react-router"
import { copyText } from "../lib/copying.ts"
import { appDetails } from "../lib/details.ts"
import { warn } from "../lib/notices.ts"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

/** A screen whose code failed or didn't come: says so, offers to load it anew, and what to report. */
export function BrokenPage({ error }: ErrorComponentProps) {
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
            <Button kind="text" small icon="copy" onPress={() => void copyText(appDetails(error))}>
              <Trans>Copy the details for a report</Trans>
            </Button>
          </div>
        }
      />
    </Page>
  )
}
