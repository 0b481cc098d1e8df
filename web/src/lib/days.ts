import { dayName, midnight } from "./day.ts"
import { typedDay } from "./typedDay.ts"

/** First and last millisecond of the local days from "2026-11-01" to "2026-11-30"; a side left open is absent. */
export function dayRange(from: string | undefined, to: string | undefined): { start?: number; end?: number } {
  const start = from === undefined ? undefined : midnight(from, 0)
  const end = to === undefined ? undefined : midnight(to, 1) - 1
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }
}

/** Why a typed day isn't one between `min` and `max`; null where it is, and where nothing is typed. */
export function dayProblem(
  text: string,
  { min, max }: { min?: string | undefined; max?: string | undefined },
): "incomplete" | "unknown" | "early" | "late" | null {
  if (text === "") return null
  const day = typedDay(text)
  if (day === undefined) return /^\d{4}-\d+-\d+$/.test(text) ? "unknown" : "incomplete"
  if (min !== undefined && day < min) return "early"
  return max !== undefined && day > max ? "late" : null
}

/** The device's present day. */
export const today = (): string => dayName(Date.now())
