import { useLingui } from "@lingui/react/macro"
import { canBuzz } from "../../lib/haptics.ts"
import { languageOf } from "../../lib/languages.ts"
import { formatAmount } from "../../lib/money.ts"
import type { Settings } from "../../lib/settings.ts"
import { useSetting } from "../../lib/useSetting.ts"
import { Card } from "../../ui/Card.tsx"
import { List } from "../../ui/List.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { ClearCache } from "./ClearCache.tsx"
import { LanguageSheet, useLanguageSheet } from "./LanguageSheet.tsx"
import { LogOut } from "./LogOut.tsx"
import { ServiceRow } from "./ServiceRow.tsx"
import { VersionRow } from "./VersionRow.tsx"

const SAMPLE = "1234567.89"

/**
 * The settings; each acts at once.
 * Absent until they are built: solvency, and sound, since nothing plays.
 */
export function SettingsList() {
  const { t } = useLingui()
  const sheet = useLanguageSheet()
  const [language] = useSetting("language")
  const [theme, setTheme] = useSetting("theme")
  const [prices, setPrices] = useSetting("prices")
  const [numbers, setNumbers] = useSetting("numbers")
  const [hide, setHide] = useSetting("hide")
  const [haptics, setHaptics] = useSetting("haptics")
  const [still, setStill] = useSetting("still")
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
  const writings: { value: Settings["numbers"]; label: string }[] = [
    { value: "language", label: t({ message: "Auto", context: "numbers as the language writes them" }) },
    { value: "1,234.5", label: "1,234.5" },
    { value: "1.234,5", label: "1.234,5" },
    { value: "1 234,5", label: "1\u202f234,5" },
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
      <Card title={t`Numbers`} note={formatAmount(SAMPLE)}>
        <Segmented label={t`Numbers`} options={writings} value={numbers} onChange={setNumbers} />
      </Card>
      <List>
        <Switch
          label={t`Hide balances`}
          note={t`On every screen of this device`}
          checked={hide}
          onChange={setHide}
        />
        {canBuzz() && <Switch label={t`Vibrate on key presses`} checked={haptics} onChange={setHaptics} />}
        <Switch
          label={t`Reduce motion`}
          note={t`Also where the system allows more`}
          checked={still}
          onChange={setStill}
        />
      </List>
      <List>
        <Row title={t`Install the app`} to="/software-download" trailing="next" />
        <Row title={t`Help`} to="/help" trailing="next" />
        <ServiceRow />
        <ClearCache />
        <Row title={t`Licences`} to="/me3" search={{ view: "licences" }} trailing="next" />
        <VersionRow />
      </List>
      <List>
        <Row title={t`Close account`} to="/me1" search={{ view: "close" }} trailing="next" />
      </List>
      <div className="mt-14">
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
