import { useSyncExternalStore } from "react"
import { getToken, onSession } from "./session.ts"

/** A short text over the page. Results of money never live in one: they have pages. */
export interface Notice {
  id: number
  text: string
  tone: "done" | "error"
}

const SHOWN = { done: 1500, error: 6000 } as const
/** How long the words stay for readers, whatever the eye sees. */
export const HEARD = 6000
const MOST = 3

let notices: readonly Notice[] = []
let next = 1
const listeners = new Set<() => void>()

export const notify = (text: string): void => add(text, "done")
export const warn = (text: string): void => add(text, "error")

const TOLD = "kalos.told"

/** A warning for the page that is about to take the place of this one. */
export function warnAfterReload(text: string): void {
  try {
    sessionStorage.setItem(TOLD, text)
  } catch {
    // A full or forbidden store: the next page says nothing, and comes all the same.
  }
}

/** Show what the page before left to say. */
export function tellFromBefore(): void {
  try {
    const text = sessionStorage.getItem(TOLD)
    sessionStorage.removeItem(TOLD)
    if (text !== null) warn(text)
  } catch {
    // A forbidden store has kept nothing.
  }
}

export function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id))
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(listen, () => notices)
}

export const shownFor = (notice: Notice): number => SHOWN[notice.tone]

function add(text: string, tone: Notice["tone"]): void {
  const others = notices.filter((notice) => notice.text !== text)
  change([...others, { id: next++, text, tone }].slice(-MOST))
}

function change(to: readonly Notice[]): void {
  notices = to
  for (const listener of listeners) listener()
}

// What was refused at the door is no longer so inside.
onSession(() => {
  if (getToken() !== null) change([])
})

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
