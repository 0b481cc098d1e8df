import { Trans, useLingui } from "@lingui/react/macro"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

/** A screen of the product that this build doesn't have yet (unbuilt.ts). */
export default function NotBuiltPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Not built yet`} back="/home">
      <Empty
        text={<Trans>This part of Kalos isn't built yet. Nothing here works, so nothing is shown.</Trans>}
        action={
          <Button kind="quiet" to="/home">
            <Trans>Go to Home</Trans>
          </Button>
        }
      />
    </Page>
  )
}
