import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { formatter } from "@lingui/format-po"
import { rolldown } from "rolldown"
import type { Plugin } from "vite"
import { earlyFiles } from "./preloads.ts"
import { LANGUAGES } from "./src/lib/languages.ts"
import { ICONS, type IconName } from "./src/ui/icons.ts"

/** The script's place in the build. */
export const FIRST_PAINT = /^assets\/first-\w{8}\.js$/

const SOURCE = "src/first/index.ts"
const MARKED = / data-text>([^<]+)</g
const ICON = /<svg aria-hidden="true" data-icon="(\w+)" class="([^"]+)"><\/svg>/g
const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/
const CODE = /<link rel="modulepreload" crossorigin href="\/([^"]+)">/g
/** In all languages at least the figures are written in it. */
const FONT = /geist-plain-\w/
const STYLES = /\s*<link rel="stylesheet"[^>]*>/

/**
 * Let index.html draw what comes before the page's code has: its icons, a script that shows it as the device has chosen
 * (theme, language, log-in or home) with its texts in all languages and then starts the code, and the styles and the font
 * before all else.
 */
export function firstPaint(): Plugin {
  let root = ""
  let name = ""
  let code = ""
  return {
    name: "first-paint",
    configResolved(config) {
      root = config.root
    },
    async buildStart() {
      code = await codeOf(join(root, SOURCE))
      name = `assets/first-${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: name, source: code })
    },
    transformIndexHtml: {
      order: "post",
      async handler(page, { bundle }) {
        const drawn = page.replaceAll(ICON, (_all, icon, look) => drawingOf(icon, look))
        if (!bundle) return drawn
        const texts = JSON.stringify(
          await textsOf(
            root,
            [...page.matchAll(MARKED)].map(([, text = ""]) => text),
          ),
        )
        const font = Object.keys(bundle).find((file) => FONT.test(file))
        const [styles = ""] = drawn.match(STYLES) ?? []
        const begin = [
          `<script src="/${name}"></script>${styles}`,
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
          "<title>",
        ].join("\n    ")
        const early = earlyFiles(bundle)
        const spoken = `<script type="application/json">${texts.replaceAll("<", "\\u003c")}</script>`
        return drawn
          .replace(STYLES, "")
          .replaceAll(CODE, (tag, file) => (early.has(file) ? tag : tag.replace("rel=", "data-later=")))
          .replace(ENTRY, '<link data-later="modulepreload" crossorigin href="$1" data-entry>')
          .replaceAll('="modulepreload"', '="modulepreload" fetchpriority="low"')
          .replace("<title>", begin)
          .replace("</body>", `${spoken}\n  </body>`)
      },
    },
  }
}

/** As ui/Icon.tsx draws it. */
function drawingOf(icon: string, look: string): string {
  const path = ICONS[icon as IconName]
  if (path === undefined) throw new Error(`index.html: no icon is called ${icon}`)
  const stroke = 'stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"'
  return `<svg viewBox="0 0 24 24" class="${look}" aria-hidden="true" fill="none" ${stroke}><path d="${path}" /></svg>`
}

/** What the languages make of these texts; English stands in the page itself. */
async function textsOf(root: string, marked: readonly string[]): Promise<Record<string, string[]>> {
  const { parse } = formatter({ origins: false })
  const found: Record<string, string[]> = {}
  for (const { tag } of LANGUAGES.filter(({ tag }) => tag !== "en")) {
    const known = new Map<string, string>()
    for (const file of globSync(join(root, `src/**/locales/${tag}.po`))) {
      const catalogue = await parse(readFileSync(file, "utf8"), {
        locale: tag,
        sourceLocale: "en",
        filename: file,
      })
      for (const { message = "", translation = "", context } of Object.values(catalogue))
        if (context === undefined || context === null) known.set(message, translation)
    }
    found[tag] = marked.map((text) => {
      const translation = known.get(text)
      if (!translation) throw new Error(`index.html: "${text}" is no text of the screens in ${tag}`)
      return translation
    })
  }
  return found
}

async function codeOf(input: string): Promise<string> {
  const bundle = await rolldown({ input })
  const { output } = await bundle.generate({ format: "iife", minify: true })
  await bundle.close()
  return output[0].code
}
