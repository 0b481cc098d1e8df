import { useLingui } from "@lingui/react/macro"
import { canBuzz } from "../../lib/haptics.ts"
import { languageOf } from "../../lib/languages.ts"
import { type Settings, useSetting } from "../../lib/settings.ts"
import { Card } from "../../ui/Card.tsx"
import { List } from "../../ui/List.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { AppRows } from "./AppRows.tsx"
import { LanguageSheet, useLanguageSheet } from "./LanguageSheet.tsx"
import { LogOut } from "./LogOut.tsx"

/**
 * /me3: what this device shows, and the way out.
 * Absent until they are built: number format, sound, cache, licences, customer service, closing the account.
 */
export default function SettingsPage() {
  const { t } = useLingui()
  const sheet = useLanguageSheet()
  const [language] = useSetting("language")
  const [theme, setTheme] = useSetting("theme")
  const [prices, setPrices] = useSetting("prices")
  const [hide, setHide] = useSetting("hide")
  const [haptics, setHaptics] = useSetting("haptics")
  const themes: { value: Settings["theme"]; label: string }[] = [
    { value: "system", label: t`System` },
    { value: "ink", label: t`Dark` },
    { value: "paper", label: t`Light` },
  ]
  const palettes: { value: Settings["prices"]; label: string }[] = [
    { value: "green-up", label: t`Green up` },
    { value: "red-up", label: t`Red up` },
    { value: "cvd", label: t`Colour-blind` },
  ]
  return (
    <Page title={t`Settings`} back="/me">
      <List>
        <Row
          title={t`Language`}
          value={<span className="text-t2">{languageOf(language).name}</span>}
          trailing="next"
          onPress={sheet.show}
        />
      </List>
      <Card title={t`Theme`}>
        <Segmented label={t`Theme`} options={themes} value={theme} onChange={setTheme} />
      </Card>
      <Card title={t`Price colours`} note={<Samples />}>
        <Segmented label={t`Price colours`} options={palettes} value={prices} onChange={setPrices} />
      </Card>
      <List>
        <Switch
          label={t`Hide balances`}
          note={t`On every screen of this device`}
          checked={hide}
          onChange={setHide}
        />
        {canBuzz() && <Switch label={t`Vibrate on key presses`} checked={haptics} onChange={setHaptics} />}
      </List>
      <AppRows />
      <div className="mt-8">
        <LogOut />
      </div>
      <LanguageSheet sheet={sheet} />
    </Page>
  )
}

/** What a rise and a fall look like with this choice. */
function Samples() {
  const { t } = useLingui()
  return (
    <span className="flex gap-3">
      <span className="text-up">▲ {t`rise`}</span>
      <span className="text-down">▼ {t`fall`}</span>
    </span>
  )
}
