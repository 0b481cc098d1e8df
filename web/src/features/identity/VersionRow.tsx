import { useLingui } from "@lingui/react/macro"
import { update, useUpdateReady } from "../../lib/update.ts"
import { VERSION } from "../../lib/version.ts"
import { Row } from "../../ui/Row.tsx"

/** The page's build, or the way to a newer one. */
export function VersionRow() {
  const { t } = useLingui()
  const ready = useUpdateReady()
  if (!ready) return <Row title={t`Version`} value={<span className="text-t2">{VERSION}</span>} />
  return (
    <Row
      title={t`Update`}
      value={<span className="text-brand-text">{t`New version available`}</span>}
      trailing="next"
      onPress={() => void update()}
    />
  )
}
