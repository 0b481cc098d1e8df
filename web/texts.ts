import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

// Fails where `npm run texts` would change a catalogue: a text of the source is missing there, or stands there for nothing.
const NEEDED = ["src", "lingui.config.ts", "package.json", "tsconfig.json"]

const copy = mkdtempSync(join(tmpdir(), "kalos-texts-"))
try {
  for (const name of NEEDED) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"))
  execFileSync(join(copy, "node_modules/.bin/lingui"), ["extract", "--clean"], { cwd: copy, stdio: "ignore" })
  const changed = globSync("src/**/*.po").filter(
    (name) => readFileSync(name, "utf8") !== readFileSync(join(copy, name), "utf8"),
  )
  const missing = globSync("src/**/vi.po").filter((name) =>
    /^msgid "(?!")[^\n]*\nmsgstr ""$/m.test(readFileSync(name, "utf8")),
  )
  for (const name of changed) process.stderr.write(`${name}: not as the source says, run npm run texts\n`)
  for (const name of missing) process.stderr.write(`${name}: a text isn't translated\n`)
  if (changed.length + missing.length > 0) process.exitCode = 1
} finally {
  rmSync(copy, { recursive: true })
}
