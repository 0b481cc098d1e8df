import { useLingui } from "@lingui/react/macro"
import { LANGUAGES, languageOf } from "../../lib/languages.ts"
import { setSettings, useSetting } from "../../lib/settings.ts"
import { ChoiceList } from "../../ui/ChoiceList.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

const OPTIONS = LANGUAGES.map(({ code, name, tag }) => ({ value: code, label: name, lang: tag }))

export const useLanguageSheet = () => useSheet("language")

/** The seven languages, each in its own script; a choice counts at once. */
export function LanguageSheet({ sheet }: { sheet: ReturnType<typeof useLanguageSheet> }) {
  const { t } = useLingui()
  const [language] = useSetting("language")
  return (
    <Sheet sheet={sheet} title={t`Language`}>
      <ChoiceList
        label={t`Language`}
        value={languageOf(language).code}
        onChange={(code) => {
          setSettings({ language: code, offered: true })
          sheet.hide()
        }}
        options={OPTIONS}
      />
    </Sheet>
  )
}
