import { dayName, isDay, midnight } from "./day.ts"

/** One local day of a list and its rows, in the list's order. */
export interface Day<Row> {
  /** Start of the day, in milliseconds: its key. */
  start: number
  rows: Row[]
}

/** Cut a list that is ordered by time into local days. */
export function groupByDay<Row>(rows: readonly Row[], timeOf: (row: Row) => number): Day<Row>[] {
  const days: Day<Row>[] = []
  for (const row of rows) {
    const start = dayStart(timeOf(row))
    const last = days.at(-1)
    if (last?.start === start) last.rows.push(row)
    else days.push({ start, rows: [row] })
  }
  return days
}

/** The first millisecond of the local day of a point in time. */
export function dayStart(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

/** First and last millisecond of the local days from "2026-11-01" to "2026-11-30"; a side left open is absent. */
export function dayRange(from: string | undefined, to: string | undefined): { start?: number; end?: number } {
  const start = from === undefined ? undefined : midnight(from, 0)
  const end = to === undefined ? undefined : midnight(to, 1) - 1
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }
}

/** A day as it is typed ("2026-2-5"), as that day ("2026-02-05"); undefined where there is none. */
export function typedDay(text: string): string | undefined {
  const [year = "", month = "", date = ""] = text.split("-")
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
  return isDay(day) ? day : undefined
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
