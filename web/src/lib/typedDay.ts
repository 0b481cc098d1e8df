import { isDay } from "./day.ts"

/** A day as it is typed ("2026-2-5"), as that day ("2026-02-05"); undefined where there is none. */
export function typedDay(text: string): string | undefined {
  const [year = "", month = "", date = ""] = text.split("-")
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
  return isDay(day) ? day : undefined
}
