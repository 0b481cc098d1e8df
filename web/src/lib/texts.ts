import { i18n, type Messages } from "@lingui/core"
import { t } from "@lingui/core/macro"
import { intlTag, LANGUAGES, type Language, languageOf } from "./languages.ts"
import { warn } from "./notices.ts"
import { getSettings, onSettings, setSettings } from "./settings.ts"

type Catalogue = { messages: Messages }
type Load = () => Promise<Catalogue>
const shared = import.meta.glob<Catalogue>("../locales/*.po")
const featured = import.meta.glob<Catalogue>("../features/*/locales/*.po")

const used = new Set<string>()

/** Shown instead of a first language whose texts didn't come; the choice stays for the next visit. */
let instead: Language | null = null

/** Load a feature's texts in the present language; each later change of language loads them too. */
export async function loadTextsOf(feature: string): Promise<void> {
  used.add(feature)
  const { tag } = present()
  await add(tag, [featured[`../features/${feature}/locales/${tag}.po`]])
}

/**
 * Load the page's texts, put the language on the page, and follow its changes without a reload. A language that can't
 * be had gives way to English, which the server names in every page; raises where that doesn't come either.
 */
export async function startTexts(): Promise<void> {
  try {
    await follow()
  } catch {
    instead = languageOf("en")
    await follow()
  }
  let { numbers, language } = getSettings()
  onSettings((settings) => {
    const rewritten = settings.numbers !== numbers
    if (settings.language !== language) instead = null
    ;({ numbers, language } = settings)
    const wanted = present()
    // Activating is also how everything that shows a number is drawn anew.
    if (rewritten || wanted.tag !== i18n.locale) follow().catch(() => stay(wanted))
  })
}

async function follow(): Promise<void> {
  const language = present()
  const { tag } = language
  await add(tag, [
    shared[`../locales/${tag}.po`],
    ...[...used].map((feature) => featured[`../features/${feature}/locales/${tag}.po`]),
  ])
  // A faster choice may have come in between.
  if (language !== present()) return
  i18n.activate(tag, intlTag(language))
  document.documentElement.lang = tag
}

/** The texts of a choice can't be had: the page stays in its language, and the choice goes back to it. */
function stay(wanted: Language): void {
  // Another choice has been made since.
  if (wanted !== present()) return
  const shown = LANGUAGES.find(({ tag }) => tag === i18n.locale)
  if (shown) setSettings({ language: shown.code })
  warn(t`No connection`)
}

async function add(tag: string, loads: (Load | undefined)[]): Promise<void> {
  const parts = await Promise.all(loads.map((load) => load?.()))
  for (const part of parts) if (part) i18n.load(tag, { ...part.messages })
}

const present = (): Language => instead ?? languageOf(getSettings().language)
