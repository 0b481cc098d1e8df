import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"
import type { Plugin, Rolldown } from "vite"
import { FIRST_PAINT } from "./first.ts"
import { LANGUAGES } from "./src/lib/languages.ts"
import type { Build } from "./src/worker/build.ts"

const SOURCE = "src/worker/sw.ts"
const TEXTS = new RegExp(`^assets/(${LANGUAGES.map(({ tag }) => tag).join("|")})-[\\w-]{8}\\.js$`)

/** Write /sw.js: the worker's own code with the names of this build's files in it. */
export function serviceWorker(): Plugin {
  let root = ""
  let publicDir = ""
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      root = config.root
      publicDir = config.publicDir
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const others = await filesOf(publicDir)
        const page = await readFile(join(root, "index.html"))
        const source = await codeOf(join(root, SOURCE), buildOf(bundle, others, page))
        this.emitFile({ type: "asset", fileName: "sw.js", source })
      },
    },
  }
}

function buildOf(bundle: Rolldown.OutputBundle, others: Map<string, Buffer>, page: Buffer): Build {
  const names = Object.keys(bundle).filter((name) => name.startsWith("assets/"))
  const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry)?.fileName ?? ""
  const first = needs(bundle, entry)
  const isFirst = (name: string) => first.has(name) || name.endsWith(".css") || FIRST_PAINT.test(name)
  const shell = names.filter(isFirst).sort()
  const parts = names.filter((name) => !shell.includes(name)).sort()
  const digest = createHash("sha256").update(page).update(names.sort().join())
  for (const [name, content] of others) digest.update(name).update(content)
  const paths = (list: string[]) => list.map((name) => `/${name}`)
  return {
    id: digest.digest("hex").slice(0, 16),
    entry: `/${entry}`,
    shell: paths([...shell, ...others.keys()]),
    parts: paths(parts),
    texts: paths(parts.filter((name) => TEXTS.test(name))),
  }
}

/** A chunk with all that it imports at once. */
function needs(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const file = bundle[name]
  if (found.has(name) || file?.type !== "chunk") return found
  found.add(name)
  for (const imported of file.imports) needs(bundle, imported, found)
  return found
}

async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const places = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const contents = await Promise.all(
    places.sort().map(async (place) => [place, await readFile(place)] as const),
  )
  return new Map(contents.map(([place, content]) => [place.slice(folder.length + 1), content]))
}

async function codeOf(input: string, build: Build): Promise<string> {
  const worker = await rolldown({ input, transform: { define: { BUILD: JSON.stringify(build) } } })
  const { output } = await worker.generate({ format: "iife", minify: true })
  await worker.close()
  return output[0].code
}
