import { readdirSync, readFileSync, statSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { LANGUAGES } from "./src/lib/languages.ts"

// Budgets of the design in bytes after gzip. `node sizes.ts` measures the build and fails where it is over.
const KB = 1000
const ENTRY = 130 * KB
const FIRST: Record<string, number> = { LoginPage: 150 * KB, RegisterPage: 150 * KB, HomePage: 190 * KB }
const ROUTE = 25 * KB
/** What comes later than both: sheets, views, what several screens share. */
const PART = 25 * KB
const TEXTS = 25 * KB
/** The most that a screen loads: the shared texts, its own, and those of the part that is shown in it. */
const CATALOGUES = 3
const STYLES = 20 * KB
const FONTS = 45 * KB
/** Letters of no language here: they load with a text that a member or a network wrote. */
const NO_LANGUAGE = /^geist-latin-ext-/

const folder = "dist/assets"
const names = readdirSync(folder)
const sources = new Map(
  names
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]),
)
const size = (name: string) => gzipSync(sources.get(name) ?? "", { level: 9 }).length

const bySize = (one: string, other: string) => size(other) - size(one)

/** A chunk with all that it needs before it can run. */
function needs(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const [, one, other] of (sources.get(name) ?? "").matchAll(
    /from"\.\/([\w.~-]+\.js)"|import"\.\/([\w.~-]+\.js)"/g,
  ))
    needs(one ?? other ?? "", found)
  return found
}
const sum = (chunks: Iterable<string>) => [...chunks].reduce((total, name) => total + size(name), 0)
const scripts = [...readFileSync("dist/index.html", "utf8").matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)]
const shared = new Set(scripts.flatMap(([, name = ""]) => [...needs(name)]))
const pages = names.filter((name) => /^\w+Page-[\w-]+\.js$/.test(name))

const rows: [string, number, number][] = [["entry", sum(shared), ENTRY]]
for (const name of pages) {
  const page = name.slice(0, name.indexOf("-"))
  rows.push([page, size(name), ROUTE])
  const first = FIRST[page]
  if (first !== undefined) rows.push([`${page} usable`, sum(new Set([...shared, ...needs(name)])), first])
}
const cataloguesOf = (tag: string) =>
  names.filter((name) => name.startsWith(`${tag}-`) && name.endsWith(".js"))
const known = new Set([...shared, ...pages, ...LANGUAGES.flatMap(({ tag }) => cataloguesOf(tag))])
const parts = names.filter((name) => name.endsWith(".js") && !known.has(name)).sort(bySize)
for (const name of parts.filter((name, place) => place === 0 || size(name) > PART))
  rows.push([
    `${name.slice(0, -"-12345678.js".length)}, the largest of ${parts.length} parts`,
    size(name),
    PART,
  ])
for (const { tag } of LANGUAGES) {
  const catalogues = cataloguesOf(tag)
  const largest = catalogues.sort(bySize).slice(0, CATALOGUES)
  rows.push([`texts ${tag}, the largest ${CATALOGUES} of ${catalogues.length}`, sum(largest), TEXTS])
}
for (const name of names.filter((name) => name.endsWith(".css"))) rows.push(["styles", size(name), STYLES])
const fonts = names.filter((name) => name.endsWith(".woff2") && !NO_LANGUAGE.test(name))
rows.push([
  `fonts, all ${fonts.length} that a language loads`,
  fonts.reduce((total, name) => total + statSync(`${folder}/${name}`).size, 0),
  FONTS,
])

const leaked = names.filter((name) => name.startsWith("Gallery"))
for (const name of leaked) process.stderr.write(`${name}: the gallery is in the product\n`)
for (const [name, bytes, most] of rows)
  process.stdout.write(
    `${bytes > most ? "OVER" : "ok  "} ${(bytes / KB).toFixed(1).padStart(6)} of ${most / KB} kB  ${name}\n`,
  )
if (shared.size === 0 || leaked.length > 0 || rows.some(([, bytes, most]) => bytes > most))
  process.exitCode = 1
