import { intlTag, languageOf } from "./languages.ts"
import { getSettings } from "./settings.ts"

export type DatePart = "day" | "month" | "year"

const isPart = (type: string): type is DatePart => type === "day" || type === "month" || type === "year"

/** How the present language writes a date: in which order its parts stand, and what it calls the months. */
export function dateParts(): { order: DatePart[]; months: string[] } {
  const tag = intlTag(languageOf(getSettings().language))
  const whole = new Intl.DateTimeFormat(tag, { year: "numeric", month: "long", day: "numeric" })
  const month = new Intl.DateTimeFormat(tag, { month: "short" })
  return {
    order: whole
      .formatToParts()
      .map(({ type }) => type)
      .filter(isPart),
    months: Array.from({ length: 12 }, (_, index) => month.format(new Date(2026, index, 15))),
  }
}
