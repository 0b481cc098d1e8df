import { dayStart } from "./byDay.ts"
import { serverNow } from "./clock.ts"
import { intlTag, languageOf } from "./languages.ts"
import { getSettings } from "./settings.ts"
import { useTicking } from "./ticking.ts"

const JUMP = 2_000
// The device's two clocks at one moment: one that anybody can set, and one that only counts.
let wall = Date.now()
let count = performance.now()
const doubters = new Set<() => void>()

/** Call `listener` when the device's clock was set or the device slept: business time must be asked for anew. */
export function onClockDoubt(listener: () => void): () => void {
  doubters.add(listener)
  return () => doubters.delete(listener)
}

/** Where the two clocks disagree, one of them was set or stood still. */
function lookAtClock(): void {
  const jumped = Math.abs(Date.now() - wall - (performance.now() - count)) > JUMP
  wall = Date.now()
  count = performance.now()
  if (jumped) for (const listener of doubters) listener()
}

/** Business time, rendered again every `every` milliseconds on the clock's own edges. */
export const useServerNow = (every = 1000): number => useTicking(serverNow, every, lookAtClock)

const MINUTE_MS = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const

/** In UTC: a format keeps the zone that it was made in, which a device may leave. */
function format(ms: number, parts: "day" | "both"): string {
  const language = languageOf(getSettings().language)
  const key = `${language.code} ${parts}`
  let made = formats.get(key)
  if (made === undefined) {
    // Numbers have two digits in dates of numbers only, so that dates under each other line up.
    const day = language.month === "short" ? "numeric" : "2-digit"
    const date = { year: "numeric", month: language.month, day } as const
    made = new Intl.DateTimeFormat(intlTag(language), {
      ...date,
      ...(parts === "day" ? {} : CLOCK),
      timeZone: "UTC",
    })
    formats.set(key, made)
  }
  return made.format(ms)
}
/** When UTC's clocks show what those of the device show at `ms`, in the zone that it is in now. */
const local = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * MINUTE_MS

/**
 * A time alone, of 24 hours with seconds, as all the languages write it. Without `Intl`, whose first format of a time
 * costs a phone a tenth of a second while the first screen is drawn.
 */
export function formatTime(ms: number): string {
  const at = new Date(ms)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":")
}
/** A moment as texts of the wire bring it: milliseconds in digits. */
export const momentOf = (text: string): number => Number(text)
export const formatDateTime = (ms: number): string => format(local(ms), "both")
/** A time of today alone, another day's with its date. */
export const formatMoment = (ms: number): string =>
  dayStart(ms) === dayStart(Date.now()) ? formatTime(ms) : formatDateTime(ms)
export const formatDay = (ms: number): string => format(local(ms), "day")
/** With its zone, where another one's stands beside it: "…, 21:05:09 UTC+8". */
export const formatLocal = (ms: number): string =>
  `${formatDateTime(ms)} ${zoneName(-new Date(ms).getTimezoneOffset())}`

/** A zone by its minutes before UTC: "UTC+5:30". */
export function zoneName(minutes: number): string {
  if (minutes === 0) return "UTC"
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`
}

/** Block data is shown in UTC besides the local zone. */
export const formatUtc = (ms: number): string => `${format(ms, "both")} UTC`
