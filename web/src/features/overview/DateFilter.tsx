import { Trans, useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { dayName } from "../../lib/day.ts"
import { dayProblem, dayRange } from "../../lib/days.ts"
import { formatDay, serverNow } from "../../lib/time.ts"
import { typedDay } from "../../lib/typedDay.ts"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { DateField } from "../../ui/DateField.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { useDateCheck } from "../../ui/useDateCheck.ts"

interface Props {
  from: string | undefined
  to: string | undefined
  onChange: (dates: { from: string | undefined; to: string | undefined }) => void
}

const DAY = 86_400_000

/** Which days: all, the last ones, or any two dates. */
export function DateFilter({ from, to, onChange }: Props) {
  const { t } = useLingui()
  const sheet = useSheet("dates")
  const wrong = useDateCheck()
  // What is typed counts once it is a day, or nothing.
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({})
  const type = (part: { from?: string; to?: string }, limits: Parameters<typeof dayProblem>[1]) => {
    setTyped((before) => ({ ...before, ...part }))
    const [side = "", text = ""] = Object.entries(part)[0] ?? []
    if (dayProblem(text, limits) === null) onChange({ from, to, [side]: typedDay(text) })
  }
  const starts: Record<string, string> = {
    day: dayName(serverNow()),
    week: dayName(serverNow() - 6 * DAY),
    month: dayName(serverNow() - 29 * DAY),
  }
  const presets = [
    { value: "all", label: t`Any time` },
    { value: "day", label: t`Today` },
    { value: "week", label: t`7 days` },
    { value: "month", label: t`30 days` },
  ]
  const all = from === undefined && to === undefined
  const preset = all ? "all" : Object.keys(starts).find((name) => starts[name] === from && to === undefined)
  const chosen = presets.find(({ value }) => value === preset)?.label ?? `${named(from)} – ${named(to)}`
  return (
    <>
      <Pressable
        onPress={sheet.show}
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
          <Button onPress={sheet.hide}>
            <Trans>Show</Trans>
          </Button>
        }
      >
        <Chips
          label={t`Days`}
          options={presets}
          value={preset ?? null}
          onChange={(value) => {
            setTyped({})
            onChange({ from: starts[value], to: undefined })
          }}
        />
        <DateField
          label={t`From`}
          value={typed.from ?? from ?? ""}
          onChange={(text) => type({ from: text }, { max: to })}
          error={typed.from && wrong(typed.from, { max: to })}
        />
        <div className="mb-4">
          <DateField
            label={t`To`}
            value={typed.to ?? to ?? ""}
            onChange={(text) => type({ to: text }, { min: from })}
            error={typed.to && wrong(typed.to, { min: from })}
          />
        </div>
      </Sheet>
    </>
  )
}

function named(day: string | undefined): string {
  const { start } = dayRange(day, undefined)
  return start === undefined ? "…" : formatDay(start)
}
