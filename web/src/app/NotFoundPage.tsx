import { Trans, useLingui } from "@lingui/react/macro"
import { useLocation } from "@tanstack/react-router"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Page } from "../ui/Page.tsx"

/** Any path that the product doesn't have: which one it was, and the ways on. */
export function NotFoundPage() {
  const { t } = useLingui()
  const { pathname } = useLocation()
  return (
    <Page title={t`Not found`} back="/home">
      <Empty
        text={
          <>
            <Trans>There is no page at this address.</Trans>
            <span className="mt-3 block text-small break-all text-t3">{pathname}</span>
          </>
        }
        action={
          <div className="flex flex-col gap-2">
            <Button to="/home">
              <Trans>Go to Home</Trans>
            </Button>
            <Button kind="quiet" to="/help">
              <Trans>Look into Help</Trans>
            </Button>
          </div>
        }
      />
    </Page>
  )
}
