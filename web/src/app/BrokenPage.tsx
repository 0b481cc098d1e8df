import { Trans, useLingui } from "@lingui/react/macro"
import { warn } from "../lib/notices.ts"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

/** A screen whose code failed: says so, and offers to load it anew. */
export function BrokenPage() {
  const { t } = useLingui()
  // A reload without a connection would leave the browser's own page.
  const again = () => (navigator.onLine ? location.reload() : warn(t`No connection`))
  return (
    <Page title={t`Something went wrong`} back="/home">
      <Empty
        text={<Trans>This screen failed to show. Your money isn't affected by that.</Trans>}
        action={
          <Button kind="quiet" onPress={again}>
            <Trans>Load it again</Trans>
          </Button>
        }
      />
    </Page>
  )
}
