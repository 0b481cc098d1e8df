import { useLingui } from "@lingui/react/macro"
import { Suspense } from "react"
import { languageOf } from "../lib/languages.ts"
import { wantedLanguage } from "../lib/offers.ts"
import { optional } from "../lib/optional.ts"
import { setSettings } from "../lib/settings.ts"
import { useSetting } from "../lib/useSetting.ts"
import { IconButton } from "../ui/IconButton.tsx"
import { Pressable } from "../ui/Pressable.tsx"

const OfferText = optional(() => import("./OfferText.tsx"))

/** One line on the first visits: the page in the browser's own language, said in it. Either answer is remembered. */
export function LanguageOffer() {
  const { t } = useLingui()
  const [offered] = useSetting("offered")
  const [present] = useSetting("language")
  // Another language than the first one was chosen by hand.
  const wanted = offered || present !== "en" ? undefined : wantedLanguage(navigator.languages)
  if (wanted === undefined || wanted === "en") return null
  return (
    <aside className="flex items-center bg-s2 pl-5 text-small max-narrow:pl-4">
      <Pressable
        className="min-h-11 flex-1 text-left font-medium text-brand-text"
        onPress={() => setSettings({ language: wanted, offered: true })}
      >
        <Suspense>
          <OfferText language={languageOf(wanted)} />
        </Suspense>
      </Pressable>
      <IconButton
        icon="close"
        size={4}
        label={t`Close`}
        className="text-t3"
        onPress={() => setSettings({ offered: true })}
      />
    </aside>
  )
}
