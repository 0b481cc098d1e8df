import { i18n, type Messages } from "@lingui/core"
import { intlTag, languageOf } from "./languages.ts"
import { getSettings, onSettings } from "./settings.ts"

type Catalogue = { messages: Messages }
type Load = () => Promise<Catalogue>
const shared = import.meta.glob<Catalogue>("../locales/*.po")
const featured = import.meta.glob<Catalogue>("../features/*/locales/*.po")

const used = new Set<string>()

/** Load a feature's texts in the present language; each later change of language loads them too. */
export async function loadTextsOf(feature: string): Promise<void> {
  used.add(feature)
  await add(languageOf(getSettings().language).tag, [
    featured[`../features/${feature}/locales/${present()}.po`],
  ])
}

/** Load the page's texts, put the language on the page, and follow its changes without a reload. */
export async function startTexts(): Promise<void> {
  await follow()
  onSettings(() => {
    if (present() !== i18n.locale) void follow()
  })
}

async function follow(): Promise<void> {
  const tag = present()
  await add(tag, [
    shared[`../locales/${tag}.po`],
    ...[...used].map((feature) => featured[`../features/${feature}/locales/${tag}.po`]),
  ])
  // A faster choice may have come in between.
  if (tag !== present()) return
  i18n.activate(tag, intlTag(languageOf(getSettings().language)))
  document.documentElement.lang = tag
}

async function add(tag: string, loads: (Load | undefined)[]): Promise<void> {
  const parts = await Promise.all(loads.map((load) => load?.()))
  for (const part of parts) if (part) i18n.load(tag, { ...part.messages })
}

function present(): string {
  return languageOf(getSettings().language).tag
}
