import { useLingui } from "@lingui/react/macro"
import { useSetting } from "../../lib/useSetting.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { LanguageSheet, useLanguageSheet } from "./LanguageSheet.tsx"

/** The head of log-in and registration: mark, name, language and theme. */
export function DoorHeader({ title }: { title?: string }) {
  const { t } = useLingui()
  const sheet = useLanguageSheet()
  const [theme, setTheme] = useSetting("theme")
  const dark = document.documentElement.dataset.theme !== "paper"
  return (
    <header className="px-5 pt-3 max-narrow:px-4">
      <div className="-mr-3 flex items-center justify-end">
        <IconButton icon="globe" size={5} label={t`Language`} onPress={sheet.show} />
        <IconButton
          icon={dark ? "sun" : "moon"}
          size={5}
          label={dark ? t`Light theme` : t`Dark theme`}
          onPress={() => setTheme(theme === "paper" || (theme === "system" && !dark) ? "ink" : "paper")}
        />
      </div>
      <div className="mt-6 mb-4 flex items-center gap-3">
        <Mark />
        <span className="text-h1 tracking-tight">Kalos</span>
      </div>
      <h1 className="text-h1">{title ?? t`Log in`}</h1>
      {title === undefined && (
        <p className="mt-1 text-t2">{t`A wallet, and games whose results anyone can check on the chain.`}</p>
      )}
      <LanguageSheet sheet={sheet} />
    </header>
  )
}
