import { useSyncExternalStore } from "react"
import { getToken, onSession } from "./session.ts"

/** A short text over the page. Results of money never live in one: they have pages. */
export interface Notice {
  id: number
  text: string
  /** quiet: a refusal that its screen says as well, and has read out; this one is for the eye alone. */
  tone: "done" | "error" | "quiet"
}

/** What is asked for again and again, such as a panel's rows, is told so seldom. */
const SELDOM_MS = 60_000

const SHOWN = { done: 1500, error: 6000, quiet: 3000 } as const
/** How long the words stay for readers, whatever the eye sees. */
export const HEARD = 6000
const MOST = 3

let notices: readonly Notice[] = []
let next = 1
const listeners = new Set<() => void>()

export interface How {
  /** The screen shows it in its place as well, and has it read out there. */
  quiet?: boolean
  /** So does it, and nobody has pressed: the same sentence once a minute at the most. */
  seldom?: boolean
  /** Who asks tells it, once no further try is left. */
  untold?: boolean
}

export const notify = (text: string): void => add(text, "done")
export function warn(text: string, { quiet = false, seldom = false }: How = {}): void {
  const now = Date.now()
  if (seldom && now - (toldAt.get(text) ?? 0) < SELDOM_MS) return
  if (seldom) toldAt.set(text, now)
  add(text, quiet || seldom ? "quiet" : "error")
}

const toldAt = new Map<string, number>()
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

export const shownFor = ({ tone }: Notice): number => SHOWN[tone]

function add(text: string, tone: Notice["tone"]): void {
  // What is read out and stays isn't cut short by who only says it again.
  if (tone === "quiet" && notices.some((one) => one.text === text && one.tone === "error")) return
  // Of what screens say themselves the last is enough: the one before may be mended already.
  const others = notices.filter((one) => one.text !== text && (tone !== "quiet" || one.tone !== tone))
  change([...others, { id: next++, text, tone }].slice(-MOST))
}

function change(to: readonly Notice[]): void {
  notices = to
  for (const listener of listeners) listener()
}

// What was refused at the door is no longer so inside, and what one member was told the next one wasn't.
onSession(() => {
  toldAt.clear()
  if (getToken() !== null) change([])
})

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
