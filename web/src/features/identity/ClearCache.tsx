import { Trans, useLingui } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { clearCache } from "../../lib/cache.ts"
import { useOnline } from "../../lib/network.ts"
import { Button } from "../../ui/Button.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { afterSheets } from "../../ui/steps.ts"

/** Forgets what can be fetched again, and loads the page anew from the server. */
export function ClearCache() {
  const { t } = useLingui()
  const online = useOnline()
  const { history } = useRouter()
  const sheet = useSheet("cache")
  const clear = useMutation({
    mutationFn: clearCache,
    onSettled: () => {
      // The sheet is a step of the history: a page loaded anew on it would open it again.
      sheet.hide()
      afterSheets(history, () => location.reload())
    },
  })
  return (
    <>
      <Row title={t`Clear the cache`} onPress={sheet.show} trailing="next" />
      <Sheet
        sheet={sheet}
        title={t`Clear the cache?`}
        footer={
          <Button
            busy={clear.isPending}
            onPress={() => clear.mutate()}
            {...(online ? {} : { reason: t`Without a connection nothing could be fetched again` })}
          >
            <Trans>Clear and load anew</Trans>
          </Button>
        }
      >
        <p className="text-t2">
          <Trans>
            Lists and files that this device keeps are fetched again. You stay logged in, and your settings
            stay.
          </Trans>
        </p>
      </Sheet>
    </>
  )
}
