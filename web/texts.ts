import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatter } from "@lingui/format-po"
import { faultsOf, type Text } from "./catalogues.ts"
import { LANGUAGES } from "./src/lib/languages.ts"

// Fails where `npm run texts` would change a catalogue (a text of the source is missing there, or stands there for
// nothing), where a language lacks a catalogue, and where a translation is not what its text needs.
const NEEDED = ["src", "lingui.config.ts", "package.json", "tsconfig.json"]

const faults = faultsOf(await texts(), JSON.parse(readFileSync("src/locales/same.json", "utf8")))
const copy = mkdtempSync(join(tmpdir(), "kalos-texts-"))
try {
  for (const name of NEEDED) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"))
  execFileSync(join(copy, "node_modules/.bin/lingui"), ["extract", "--clean"], { cwd: copy, stdio: "ignore" })
  for (const name of new Set([...globSync("src/**/*.po"), ...globSync("src/**/*.po", { cwd: copy })]))
    if (read(name) !== read(join(copy, name)))
      faults.push(`${name}: not as the source says, run npm run texts`)
} finally {
  rmSync(copy, { recursive: true })
}
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1

async function texts(): Promise<Text[]> {
  const { parse } = formatter({ origins: false })
  const found: Text[] = []
  for (const { tag } of LANGUAGES)
    for (const file of globSync(`src/**/locales/${tag}.po`)) {
      const catalogue = await parse(readFileSync(file, "utf8"), {
        locale: tag,
        sourceLocale: "en",
        filename: file,
      })
      for (const [id, { message = "", translation = "" }] of Object.entries(catalogue))
        found.push({ file, tag, id, message, translation })
    }
  return found
}

/** A file that is there on one side only differs: without it extracting makes one whose date is the present. */
function read(name: string): string | null {
  try {
    return readFileSync(name, "utf8")
  } catch {
    return null
  }
}
