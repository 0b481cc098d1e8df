import { Trans, useLingui } from "@lingui/react/macro"
import { dayName, isDay } from "../../lib/days.ts"
import { serverNow } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { Field } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

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
  const chosen = presets.find(({ value }) => value === preset)?.label ?? `${from ?? "…"} – ${to ?? "…"}`
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
          onChange={(value) => onChange({ from: starts[value], to: undefined })}
        />
        <div className="mb-4 grid grid-cols-2 gap-3">
          <Field
            label={t`From`}
            type="date"
            value={from ?? ""}
            max={to}
            onChange={(event) => onChange({ from: dayOf(event.currentTarget.value), to })}
          />
          <Field
            label={t`To`}
            type="date"
            value={to ?? ""}
            min={from}
            onChange={(event) => onChange({ from, to: dayOf(event.currentTarget.value) })}
          />
        </div>
      </Sheet>
    </>
  )
}

function dayOf(text: string): string | undefined {
  return isDay(text) ? text : undefined
}
