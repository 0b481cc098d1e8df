/** A point in time as its local day, "2026-11-21". */
export function dayName(time: number): string {
  const date = new Date(time)
  const two = (part: number) => String(part).padStart(2, "0")
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayName(midnight(text, 0)) === text
}

/** When a day begins, or that many days `later`. */
export function midnight(day: string, later: number): number {
  const [year = 0, month = 0, date = 0] = day.split("-").map((part) => Number(part))
  return new Date(year, month - 1, date + later).getTime()
}
