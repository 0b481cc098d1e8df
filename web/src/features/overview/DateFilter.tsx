import { Trans, useLingui } from "@lingui/react/macro"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { serverNow } from "../../lib/clock.ts"
import { dayName } from "../../lib/day.ts"
import { dayProblem, dayRange } from "../../lib/days.ts"
import { formatDay } from "../../lib/time.ts"
import { typedDay } from "../../lib/typedDay.ts"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { DateField } from "../../ui/DateField.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { afterSheets } from "../../ui/steps.ts"
import { useDateCheck } from "../../ui/useDateCheck.ts"

interface Props {
  from: string | undefined
  to: string | undefined
  onChange: (dates: { from: string | undefined; to: string | undefined }) => void
}

interface Typed {
  from: string
  to: string
}

const DAY = 86_400_000

/** Which days: all, the last ones, or any two dates. What is chosen counts with "Show": until then the list stays. */
export function DateFilter({ from, to, onChange }: Props) {
  const { t } = useLingui()
  const { history } = useRouter()
  const sheet = useSheet("dates")
  const wrong = useDateCheck()
  // What is typed, day by day or not one yet; null: as the list stands.
  const [typed, setTyped] = useState<Typed | null>(null)
  const now = typed ?? { from: from ?? "", to: to ?? "" }
  const limits = { from: { max: typedDay(now.to) }, to: { min: typedDay(now.from) } }
  const type = (part: Partial<Typed>) => setTyped({ ...now, ...part })
  const show = () => {
    if (dayProblem(now.from, limits.from) !== null || dayProblem(now.to, limits.to) !== null) return
    sheet.hide()
    afterSheets(history, () => onChange({ from: typedDay(now.from), to: typedDay(now.to) }))
  }
  const presets = [
    { value: "all", label: t`Any time` },
    { value: "day", label: t`Today` },
    { value: "week", label: t`7 days` },
    { value: "month", label: t`30 days` },
  ]
  const standing = presets.find(({ value }) => value === presetOf(from ?? "", to ?? ""))?.label
  const chosen = standing ?? `${named(from)} – ${named(to)}`
  return (
    <>
      <Pressable
        onPress={() => {
          setTyped(null)
          sheet.show()
        }}
        label={t`Dates: ${chosen}`}
        className="-mr-1 flex min-h-11 items-center gap-1 px-1 text-small text-brand-text"
      >
        {chosen}
        <Icon name="expand" size={4} />
      </Pressable>
      <Sheet
        sheet={sheet}
        title={t`Dates`}
        footer={
          <Button onPress={show}>
            <Trans>Show</Trans>
          </Button>
        }
      >
        <Chips
          label={t`Days`}
          options={presets}
          value={presetOf(now.from, now.to) ?? null}
          onChange={(value) => setTyped({ from: starts()[value] ?? "", to: "" })}
        />
        <DateField
          label={t`From`}
          value={now.from}
          onChange={(text) => type({ from: text })}
          error={now.from && wrong(now.from, limits.from)}
        />
        <div className="mb-4">
          <DateField
            label={t`To`}
            value={now.to}
            onChange={(text) => type({ to: text })}
            error={now.to && wrong(now.to, limits.to)}
          />
        </div>
      </Sheet>
    </>
  )
}

const starts = (): Record<string, string> => ({
  day: dayName(serverNow()),
  week: dayName(serverNow() - 6 * DAY),
  month: dayName(serverNow() - 29 * DAY),
})

/** Which of the presets the days are that were typed. */
function presetOf(from: string, to: string): string | undefined {
  if (from === "" && to === "") return "all"
  return to === "" ? Object.entries(starts()).find(([, start]) => start === typedDay(from))?.[0] : undefined
}

function named(day: string | undefined): string {
  const { start } = dayRange(day, undefined)
  return start === undefined ? "…" : formatDay(start)
}
