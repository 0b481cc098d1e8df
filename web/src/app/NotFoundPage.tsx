import { Trans, useLingui } from "@lingui/react/macro"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

/** Any path that the product doesn't have. */
export function NotFoundPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Not found`} back="/home">
      <Empty
        text={<Trans>There is no page at this address.</Trans>}
        action={
          <Button kind="quiet" to="/home">
            <Trans>Go to Home</Trans>
          </Button>
        }
      />
    </Page>
  )
}
