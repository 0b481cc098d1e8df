import { useLingui } from "@lingui/react/macro"
import { dayProblem, dayRange } from "../lib/days.ts"
import { formatDay } from "../lib/time.ts"

/** Says what is wrong with what was typed into a `DateField`; undefined where nothing is. */
export function useDateCheck() {
  const { t } = useLingui()
  const named = (day: string | undefined) => formatDay(dayRange(day, undefined).start ?? 0)
  return (text: string, limits: { min?: string | undefined; max?: string | undefined }) => {
    const problem = dayProblem(text, limits)
    if (problem === "incomplete") return t`Fill in day, month and year`
    if (problem === "unknown") return t`This day doesn't exist`
    if (problem === "early") return t`Not before ${named(limits.min)}`
    return problem === "late" ? t`Not after ${named(limits.max)}` : undefined
  }
}
