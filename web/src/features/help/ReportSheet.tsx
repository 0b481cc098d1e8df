import { Trans, useLingui } from "@lingui/react/macro"
import { copyText } from "../../lib/copying.ts"
import { appDetails } from "../../lib/details.ts"
import { Button } from "../../ui/Button.tsx"
import { Sheet, type useSheet } from "../../ui/Sheet.tsx"

/** What to keep about a problem, and what this app can say of itself: shown whole before it is copied. */
export function ReportSheet({ sheet }: { sheet: ReturnType<typeof useSheet> }) {
  const { t } = useLingui()
  const details = appDetails()
  return (
    <Sheet
      sheet={sheet}
      title={t`Details for a report`}
      footer={
        <Button icon="copy" onPress={() => void copyText(details)}>
          <Trans>Copy the details</Trans>
        </Button>
      }
    >
      <p className="text-t2">
        <Trans>
          Customer service adds these details to a message by itself. Copy them to report a problem elsewhere;
          they hold no password, no account and no balance.
        </Trans>
      </p>
      <p
        lang="en"
        className="mt-3 rounded-chip bg-s2 px-4 py-3 text-small break-words whitespace-pre-line text-t2"
      >
        {details}
      </p>
    </Sheet>
  )
}
