type Lists = Record<string, readonly string[]>
type Words<Known extends Lists> = { [Name in keyof Known]?: Known[Name][number] }

/** The fields of an address's search that have one of their words; what isn't one of them is left out. */
export function wordsIn<const Known extends Lists>(raw: Record<string, unknown>, known: Known): Words<Known> {
  const found = Object.entries(known).filter(([name, words]) => words.includes(raw[name] as string))
  return Object.fromEntries(found.map(([name]) => [name, raw[name]])) as Words<Known>
}

const LONGEST = 80

/** The words that are looked for, of an address's search; nothing where there are none. */
export function soughtIn({ q }: Record<string, unknown>): { q?: string } {
  // The router reads "10" as a number.
  const words = typeof q === "string" || typeof q === "number" ? String(q).slice(0, LONGEST) : ""
  return words === "" ? {} : { q: words }
}
