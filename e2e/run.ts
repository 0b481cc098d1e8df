/** Runs the browser's files, the longest first: so no core is left alone with the last of them. `node e2e/run.ts`. */
import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { run } from "node:test"
import { spec } from "node:test/reporters"

const AT_ONCE = 5
const TIMEOUT_MS = 900_000
const LONGEST: string[] = []

const place = (file: string) => {
  const found = LONGEST.indexOf(basename(file, ".test.ts"))
  return found < 0 ? LONGEST.length : found
}
const files = globSync(join(import.meta.dirname, "*.test.ts"))
files.sort((one, other) => place(one) - place(other) || one.localeCompare(other))

const options = {
  files,
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  globalSetupPath: join(import.meta.dirname, "support/house.ts"),
}
const tests = run(options)
tests.on("test:fail", ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
