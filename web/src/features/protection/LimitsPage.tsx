import { useLingui } from "@lingui/react/macro"
import { Page } from "../../ui/Page.tsx"
import { LimitsView } from "./LimitsView.tsx"

/** /me1?view=limits. */
export default function LimitsPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Play limits`} back="/me1">
      <LimitsView />
    </Page>
  )
}
