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
