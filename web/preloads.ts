import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import type { Plugin, Rolldown } from "vite"
import { EARLY } from "./chunks.ts"

const ROUTES = "src/app/routes.ts"
const PAGE = /page\(\s*"([^"]+)",\s*"([^"]*)",\s*\(\) => import\("([^"]+)"\)/g

/** What early.ts opens the channel with, while all else is still on its way. */
const CHANNEL = /node_modules\/@hpke\/core\//
/** What every first load asks for as soon as it runs: what was kept of the last visit. */
const KEPT = /\/src\/lib\/(kept|store)\.ts$/

/** What a first load needs beside the entry: what opens the channel at once, the rest once the sketch has been seen. */
interface Needed {
  soon: string[]
  later: string[]
}

/**
 * Write `preloads.json`: what each screen's first load needs beside the entry, in English. The server names it in
 * the page, so that all of it comes at once and not one piece after the other has run.
 */
export function preloads(): Plugin {
  let root = ""
  return {
    name: "preloads",
    apply: "build",
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: "post",
      // Besides being imported by the entry: so that it runs before the entry has come.
      handler: (_page, { bundle }) =>
        holding(chunksOf(bundle ?? {}), EARLY).map(({ fileName }) => ({
          tag: "script",
          attrs: { type: "module", async: true, crossorigin: true, src: `/${fileName}` },
          // After the head, in which the server says where the API is and with which key.
          injectTo: "body-prepend" as const,
        })),
    },
    async generateBundle(_options, bundle) {
      const chunks = chunksOf(bundle)
      const entry = chunks.find(({ isEntry }) => isEntry)
      const routes = [...(await readFile(resolve(root, ROUTES), "utf8")).matchAll(PAGE)]
      if (entry === undefined || routes.length === 0) throw new Error(`${ROUTES} names no screen`)
      const first = reach(bundle, entry.fileName)
      const channel = reachOf(bundle, holding(chunks, CHANNEL))
      const found: Record<string, Needed> = {}
      for (const [, path = "", feature, module = ""] of routes) {
        const modules = [
          resolve(root, "src/app", module),
          resolve(root, "src/locales/en.po"),
          resolve(root, "src/features", feature ?? "", "locales/en.po"),
        ]
        const all = reachOf(
          bundle,
          [...modules, KEPT].flatMap((module) => holding(chunks, module)),
        )
        const named = (names: Set<string>, besides: Set<string>) =>
          [...names].filter((name) => !first.has(name) && !besides.has(name)).map((name) => `/${name}`)
        found[path] = { soon: named(channel, new Set()), later: named(all, channel) }
      }
      this.emitFile({ type: "asset", fileName: "preloads.json", source: JSON.stringify(found) })
    },
  }
}

/** What early.ts needs: it runs before all else, and so is fetched before all else. */
export const earlyFiles = (bundle: Rolldown.OutputBundle): Set<string> =>
  reachOf(bundle, holding(chunksOf(bundle), EARLY))

const reachOf = (bundle: Rolldown.OutputBundle, chunks: Rolldown.OutputChunk[]) =>
  new Set(chunks.flatMap(({ fileName }) => [...reach(bundle, fileName)]))

const chunksOf = (bundle: Rolldown.OutputBundle) =>
  Object.values(bundle).filter((part) => part.type === "chunk")

function holding(chunks: Rolldown.OutputChunk[], module: RegExp | string): Rolldown.OutputChunk[] {
  const isMeant = (id: string) => (typeof module === "string" ? id === module : module.test(id))
  return chunks.filter(({ moduleIds }) => moduleIds.some(isMeant))
}

/** A chunk with all that it needs before it can run. */
function reach(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (found.has(name) || chunk?.type !== "chunk") return found
  found.add(name)
  for (const needed of chunk.imports) reach(bundle, needed, found)
  return found
}
