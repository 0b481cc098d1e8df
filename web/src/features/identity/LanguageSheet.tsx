import { useLingui } from "@lingui/react/macro"
import { LANGUAGES } from "../../lib/languages.ts"
import { useSetting } from "../../lib/settings.ts"
import { ChoiceList } from "../../ui/ChoiceList.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

export const useLanguageSheet = () => useSheet("language")

/** The seven languages, each in its own script; a choice counts at once. */
export function LanguageSheet({ sheet }: { sheet: ReturnType<typeof useLanguageSheet> }) {
  const { t } = useLingui()
  const [language, setLanguage] = useSetting("language")
  return (
    <Sheet sheet={sheet} title={t`Language`}>
      <ChoiceList
        label={t`Language`}
        value={language}
        onChange={(code) => {
          setLanguage(code)
          sheet.hide()
        }}
        options={LANGUAGES.map(({ code, name, tag }) => ({
          value: code as string,
          label: name,
          lang: tag,
        }))}
      />
    </Sheet>
  )
}
