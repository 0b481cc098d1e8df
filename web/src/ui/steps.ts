import type { RouterHistory } from "@tanstack/react-router"

/** What newer browsers know of the history: each place by a key. */
interface Places {
  readonly currentEntry: { index: number } | null
  entries(): { key: string }[]
  traverseTo(key: string): Record<"committed" | "finished", Promise<unknown>>
}

interface Closing {
  /** The lowest sheet that has to go. */
  name: string
  /** Fulfilled when the page stands still again. */
  done: Promise<void>
}

const closings = new WeakMap<RouterHistory, Closing>()

/** Whether this sheet is open, or one that stands on it. */
export const standsOn = (open: string | undefined, name: string): boolean =>
  `${open} > `.startsWith(`${name} > `)

/**
 * Take back the step of a sheet, and those of the sheets on it, however often and by whomever it is asked.
 *
 * The only place that goes back for a sheet: a browser arrives some time after it was asked, and counts every wish, so
 * that one asked for twice would leave the page.
 */
export function closeSheet(history: RouterHistory, name: string): void {
  const under = closings.get(history)
  if (under && standsOn(under.name, name)) under.name = name
  if (under || !isOpen(history, name)) return
  const closing: Closing = { name, done: Promise.resolve() }
  closings.set(history, closing)
  closing.done = goDown(history, closing).finally(() => closings.delete(history))
}

/** Do it now, or where sheets are on their way down, after that: what a step is put upon may not go away under it. */
export function afterSheets(history: RouterHistory, act: () => void): void {
  const under = closings.get(history)
  if (under) void under.done.then(act)
  else act()
}

const isOpen = (history: RouterHistory, name: string) => standsOn(history.location.state.sheet, name)

async function goDown(history: RouterHistory, closing: Closing): Promise<void> {
  let from: string | undefined
  // Where something holds the page on its place, it isn't asked again.
  while (isOpen(history, closing.name) && from !== history.location.state.__TSR_key) {
    from = history.location.state.__TSR_key
    await stepBack(history)
  }
}

/** One place down; ends where the page has moved, wherever to, or will not. */
function stepBack(history: RouterHistory): Promise<void> {
  return new Promise((done) => {
    const stop = history.subscribe(() => end())
    const end = () => {
      stop()
      done()
    }
    const places = (globalThis as { navigation?: Places }).navigation
    const below = places?.entries()[(places.currentEntry?.index ?? 0) - 1]
    if (places === undefined || below === undefined) return history.back()
    // By its key: a member who goes back in the same moment comes to the same place, not to the one below.
    const { committed, finished } = places.traverseTo(below.key)
    committed.catch(end)
    finished.catch(() => undefined)
  })
}
