type Lists = Record<string, readonly string[]>
type Words<Known extends Lists> = { [Name in keyof Known]?: Known[Name][number] }

/** The fields of an address's search that have one of their words; what isn't one of them is left out. */
export function wordsIn<const Known extends Lists>(raw: Record<string, unknown>, known: Known): Words<Known> {
  const found = Object.entries(known).filter(([name, words]) => words.includes(raw[name] as string))
  return Object.fromEntries(found.map(([name]) => [name, raw[name]])) as Words<Known>
}

/** A word of the address as it stands there: the router reads "2E345678" as a number, which doesn't give its letters back. */
export function wordOf(name: string, read: unknown): string {
  const stated = typeof read === "number" ? new URLSearchParams(location.search).get(name) : null
  return stated !== null && readOf(stated) === read ? stated : String(read)
}

/** The positive integer that a link or the router gives, as a number or as its digits; undefined where it is none. */
export function idIn(read: unknown): number | undefined {
  const id = typeof read === "string" && /^[1-9][0-9]{0,15}$/.test(read) ? readOf(read) : read
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** As the router reads it. */
function readOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
