const DAY_MS = 86_400_000
/** A business day begins at midnight of UTC+8. */
const OFFSET_MS = 8 * 3_600_000

export const daysLater = (at: number, days: number): number => at + days * DAY_MS

/** The same time of a business day so many months later; a day that the month hasn't is its last. As the server counts. */
export function monthsLater(at: number, months: number): number {
  const start = new Date(at + OFFSET_MS)
  const end = new Date(at + OFFSET_MS)
  end.setUTCMonth(start.getUTCMonth() + months)
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0)
  return end.getTime() - OFFSET_MS
}
