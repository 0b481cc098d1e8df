import { globSync, readFileSync } from "node:fs"
import { faultsOf } from "./screenFaults.ts"

// Fails where a screen holds what belongs to the kit or the library. Screens are whatever members and the house see
// that is neither.
const SCREENS = ["features", "app", "operator", "gallery"].map((room) => `src/${room}/**/*.{ts,tsx}`)
/** They may hold all of that but two things: an amount stays decimal there, too, and a text comes from the catalogues. */
const KIT = ["src/ui/**/*.{ts,tsx}", "src/lib/**/*.{ts,tsx}"]
const OF_AMOUNTS = /: a number made of an amount: /
const OF_TEXTS = /: a text of one language: /
/** Who works here or builds it reads English, and these have no catalogues. */
const ENGLISH = /^src\/(operator|gallery)\//

/** Where one of these is right, and why: by file, the line's fault without its number. */
const ALLOWED: Record<string, { fault: RegExp; why: string }> = {
  "src/app/NoTexts.tsx": {
    fault: /: (a|href=.*)$|: a text of one language: /,
    why: "stands where neither code of the kit nor a text may have come",
  },
  "src/features/protection/ends.ts": {
    fault: /getUTC/,
    why: "counts months on the calendar, and shows none",
  },
  "src/gallery/pictures.ts": { fault: /: a colour: /, why: "pictures, which a house would have sent" },
  "src/lib/bulletins.ts": { fault: OF_AMOUNTS, why: "a bulletin's number" },
  "src/lib/day.ts": { fault: OF_AMOUNTS, why: "a date's year, month and day" },
  "src/lib/digits.ts": { fault: OF_AMOUNTS, why: "a count of nine digits at most" },
  "src/lib/disclosures.ts": { fault: OF_AMOUNTS, why: "a version" },
  "src/lib/keccak.ts": { fault: OF_AMOUNTS, why: "words of a hash" },
  "src/lib/rounds.ts": { fault: OF_AMOUNTS, why: "a round's number" },
  "src/lib/session.ts": { fault: OF_AMOUNTS, why: "a time, and words of a hash" },
  "src/lib/time.ts": { fault: OF_AMOUNTS, why: "a time" },
  "src/lib/wire/testServer.ts": { fault: OF_AMOUNTS, why: "a time" },
  "src/ui/poster.ts": { fault: OF_AMOUNTS, why: "a size of letters" },
  "src/ui/seeded.ts": { fault: OF_AMOUNTS, why: "words of a hash" },
}

const filesOf = (places: readonly string[]) =>
  globSync(places).filter((name) => !/\.test\.tsx?$/.test(name) && name !== "src/operator/main.tsx")
const kit = new Set(filesOf(KIT))
const allowed = new Set<string>()
const faults = [...filesOf(SCREENS), ...kit].flatMap((name) =>
  faultsOf(name, readFileSync(name, "utf8")).filter((fault) => {
    if (kit.has(name) && !OF_AMOUNTS.test(fault) && !OF_TEXTS.test(fault)) return false
    if (ENGLISH.test(name) && OF_TEXTS.test(fault)) return false
    const isAllowed = ALLOWED[name]?.fault.test(fault) ?? false
    if (isAllowed) allowed.add(name)
    return !isAllowed
  }),
)
for (const name of Object.keys(ALLOWED))
  if (!allowed.has(name)) faults.push(`${name}: is allowed what it doesn't hold`)
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1
