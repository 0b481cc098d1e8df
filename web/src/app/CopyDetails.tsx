import { Trans } from "@lingui/react/macro"
import { copyText } from "../lib/copying.ts"
import { appDetails } from "../lib/details.ts"
import { Button } from "../ui/Button.tsx"

/** What to report of a screen that failed. */
export default function CopyDetails({ error }: { error: unknown }) {
  return (
    <Button kind="text" small icon="copy" onPress={() => void copyText(appDetails(error))}>
      <Trans>Copy the details for a report</Trans>
    </Button>
  )
}
