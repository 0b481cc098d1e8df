import { useSyncExternalStore } from "react"
import type { HeadingShape } from "./bulletins.ts"
import { onSessionEnd } from "./session.ts"

const KEY = "kalos.read"
const MOST = 200

type Kind = HeadingShape["kind"]
type Bulletin = Pick<HeadingShape, "id" | "kind" | "time">

interface Marks {
  /** Read one by one. */
  ids: readonly string[]
  /** All of a kind up to that time, loaded or not. */
  until: Partial<Record<Kind, number>>
}

const NONE: Marks = { ids: [], until: {} }

const listeners = new Set<() => void>()
let marks = load()

function load(): Marks {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null")
    // A list of ids is what was kept before.
    const { ids, until }: { ids?: unknown; until?: Marks["until"] } = Array.isArray(stored)
      ? { ids: stored }
      : stored
    return {
      ids: Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [],
      until: { notice: timeOf(until?.notice), news: timeOf(until?.news) },
    }
  } catch {
    return NONE
  }
}

function timeOf(stored: unknown): number {
  return typeof stored === "number" ? stored : 0
}

/** Note that this bulletin was read, on this device and until the session ends; the oldest marks go first. */
export function markRead(id: string): void {
  if (!marks.ids.includes(id)) keep({ ...marks, ids: [...marks.ids, id].slice(-MOST) })
}

/** Note that all of a kind were read that are as old as `until` or older. */
export function markAllRead(kind: Kind, until: number): void {
  keep({ ...marks, until: { ...marks.until, [kind]: until } })
}

/** Which bulletins were read here. */
export function useRead(): (bulletin: Bulletin) => boolean {
  const now = useSyncExternalStore(follow, () => marks)
  return (bulletin) => isIn(now, bulletin)
}

export const isRead = (bulletin: Bulletin): boolean => isIn(marks, bulletin)

const isIn = ({ ids, until }: Marks, { id, kind, time }: Bulletin): boolean =>
  ids.includes(id) || time <= (until[kind] ?? 0)

function follow(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keep(now: Marks): void {
  take(now)
  try {
    localStorage.setItem(KEY, JSON.stringify(marks))
  } catch {
    // A full or forbidden store forgets it on reload; the page goes on.
  }
}

function take(now: Marks): void {
  marks = now
  for (const listener of listeners) listener()
}

onSessionEnd(() => take(NONE))
// What is read in another tab is read here too.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key === KEY) take(load())
})
