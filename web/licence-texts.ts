import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

/** Packages of which no module is left in the build: fonts, and the base of the styles. */
const BESIDES = ["@fontsource-variable/geist", "@fontsource-variable/geist-mono", "tailwindcss"]
const INSIDE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/
const LICENCE = /^licen[cs]e(\.(md|txt))?$/i

/** Write `fileName` beside the page: the licence of every package whose code the build holds, in its own words. */
export function licenceTexts(fileName = "licences.txt"): Plugin {
  return {
    name: "licence-texts",
    apply: "build",
    generateBundle(_options, bundle) {
      const folders = new Set(BESIDES.map((name) => join(import.meta.dirname, "node_modules", name)))
      for (const part of Object.values(bundle)) {
        const modules = part.type === "chunk" ? Object.entries(part.modules) : []
        for (const [id, { renderedLength }] of modules) {
          const folder = INSIDE.exec(id)?.[0]
          if (folder !== undefined && renderedLength > 0) folders.add(folder.replace(/^\0/, ""))
        }
      }
      const source = [...new Set([...folders].map(textOf))].sort().join("\n\n\n")
      this.emitFile({ type: "asset", fileName, source: `${source}\n` })
    },
  }
}

/** Raises where a package comes without its licence: then it can't be handed on. */
function textOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((found) => LICENCE.test(found))
  if (file === undefined) throw new Error(`${name} has no licence text`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}`
}
