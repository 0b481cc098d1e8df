import { useLingui } from "@lingui/react/macro"
import { useInstall } from "../../lib/install.ts"
import { update, useUpdateReady } from "../../lib/update.ts"
import { VERSION } from "../../lib/version.ts"
import { List } from "../../ui/List.tsx"
import { Row } from "../../ui/Row.tsx"

/** The page as an app: its build, a newer one where there is one, and the way onto the home screen. */
export function AppRows() {
  const { t } = useLingui()
  const ready = useUpdateReady()
  const install = useInstall()
  return (
    <List>
      {install && <Row title={t`Install the app`} trailing="next" onPress={install} />}
      {ready ? (
        <Row
          title={t`Update`}
          value={<span className="text-brand-text">{t`New version available`}</span>}
          trailing="next"
          onPress={() => void update()}
        />
      ) : (
        <Row title={t`Version`} value={<span className="text-t2">{VERSION}</span>} />
      )}
    </List>
  )
}
