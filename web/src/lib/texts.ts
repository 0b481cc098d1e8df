import { i18n, type Messages } from "@lingui/core"
import { t } from "@lingui/core/macro"
import { intlTag, LANGUAGES, type Language, languageOf } from "./languages.ts"
import { warn } from "./notices.ts"
import { getSettings, onSettings, setSettings } from "./settings.ts"

type Texts = { messages: Messages }
/** A language's shared texts, and where those of its features are: what is added to a feature costs the entry nothing. */
type Catalogue = Texts & { features: Record<string, () => Promise<Texts>> }
const catalogues = import.meta.glob<Catalogue>("../locales/*.ts")

const used = new Set<string>()

/** Shown instead of a first language whose texts didn't come; the choice stays for the next visit. */
let instead: Language | null = null

/** Load a feature's texts in the present language; each later change of language loads them too. */
export async function loadTextsOf(feature: string): Promise<void> {
  used.add(feature)
  await add(present().tag, [feature])
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
  await add(tag, used)
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

async function add(tag: string, features: Iterable<string>): Promise<void> {
  const catalogue = await catalogues[`../locales/${tag}.ts`]?.()
  if (catalogue === undefined) return
  const places = [...features].map((feature) => `../features/${feature}/locales/${tag}.po`)
  const parts = await Promise.all(places.map((place) => catalogue.features[place]?.()))
  for (const part of [catalogue, ...parts]) if (part) i18n.load(tag, { ...part.messages })
}

const present = (): Language => instead ?? languageOf(getSettings().language)
