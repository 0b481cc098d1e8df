import { useLingui } from "@lingui/react/macro"
import { LANGUAGES, languageOf } from "../../lib/languages.ts"
import { setSettings } from "../../lib/settings.ts"
import { useSetting } from "../../lib/useSetting.ts"
import { ChoiceList } from "../../ui/ChoiceList.tsx"

const OPTIONS = LANGUAGES.map(({ code, name, tag }) => ({ value: code, label: name, lang: tag }))

/** The seven languages, each in its own script; a choice counts at once. */
export default function LanguageList({ onChosen }: { onChosen: () => void }) {
  const { t } = useLingui()
  const [language] = useSetting("language")
  return (
    <ChoiceList
      label={t`Language`}
      value={languageOf(language).code}
      onChange={(code) => {
        setSettings({ language: code, offered: true })
        onChosen()
      }}
      options={OPTIONS}
    />
  )
}
