import { globSync, readFileSync } from "node:fs"
import { faultsOf } from "./screenFaults.ts"

// Fails where a screen holds what belongs to the kit or the library. Screens are whatever members and the house see
// that is neither.
const SCREENS = ["src/features/**/*.{ts,tsx}", "src/app/**/*.{ts,tsx}", "src/operator/**/*.{ts,tsx}"]

/** Where one of these is right, and why: by file, the line's fault without its number. */
const ALLOWED: Record<string, { fault: RegExp; why: string }> = {
  "src/app/NoTexts.tsx": { fault: /: (a|href=.*)$/, why: "stands where no code of the kit may have come" },
  "src/features/protection/ends.ts": {
    fault: /getUTC/,
    why: "counts months on the calendar, and shows none",
  },
}

const files = globSync(SCREENS).filter(
  (name) => !/\.test\.tsx?$/.test(name) && name !== "src/operator/main.tsx",
)
const allowed = new Set<string>()
const faults = files.flatMap((name) =>
  faultsOf(name, readFileSync(name, "utf8")).filter((fault) => {
    const isAllowed = ALLOWED[name]?.fault.test(fault) ?? false
    if (isAllowed) allowed.add(name)
    return !isAllowed
  }),
)
for (const name of Object.keys(ALLOWED))
  if (!allowed.has(name)) faults.push(`${name}: is allowed what it doesn't hold`)
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1
