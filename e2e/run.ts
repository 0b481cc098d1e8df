/** Runs the browser's files, the longest first: so no core is left alone with the last of them. `node e2e/run.ts`. */
import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { run } from "node:test"
import { spec } from "node:test/reporters"

const AT_ONCE = 5
const TIMEOUT_MS = 900_000
/** A start of its own product counts, too; the others follow by name. */
const LONGEST = [
  ...["access", "journey", "factors", "limits", "operator", "states", "entry", "gallery", "payout"],
  ...["changes", "invite", "answers", "stopping", "pwa", "strays", "withdraw", "book", "doors"],
]

const found = globSync(join(import.meta.dirname, "*.test.ts")).map((file) => basename(file, ".test.ts"))
const unknown = LONGEST.filter((name) => !found.includes(name))
if (unknown.length > 0) throw new Error(`there is no file of tests called ${unknown.join(", ")}`)
const rest = found.filter((name) => !LONGEST.includes(name)).sort()
const files = [...LONGEST, ...rest].map((name) => join(import.meta.dirname, `${name}.test.ts`))

// An interrupt ends the files, then the house that they share.
const interrupted = new AbortController()
for (const sign of ["SIGINT", "SIGTERM"] as const)
  process.on(sign, () => {
    process.exitCode = 1
    interrupted.abort()
  })
const options = {
  files,
  signal: interrupted.signal,
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  globalSetupPath: join(import.meta.dirname, "support/house.ts"),
}
const tests = run(options)
tests.on("test:fail", ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
