import { plural } from "@lingui/core/macro"
import { Trans, useLingui } from "@lingui/react/macro"
import { ChoiceList } from "../../ui/ChoiceList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { useSetLimit } from "./useLimits.ts"

const CHOICES = [15, 30, 60, 120, 180]
const NONE = "none"

/** After how long the page says how long it has been. It changes at once, either way. */
export function ReminderRow({ minutes }: { minutes: number | null }) {
  const { t } = useLingui()
  const sheet = useSheet("reminder choice")
  const change = useSetLimit(sheet.hide)
  // One that was set elsewhere stays to be seen.
  const offered =
    minutes === null || CHOICES.includes(minutes) ? CHOICES : [...CHOICES, minutes].sort((a, b) => a - b)
  return (
    <>
      <Row
        icon={<Icon name="clock" size={5} className="text-t2" />}
        title={<Trans>Reminder</Trans>}
        note={<Trans>Says how long you have been here, and today's result</Trans>}
        value={
          minutes === null ? (
            <span className="text-t3">{t({ message: "Off", context: "reminder" })}</span>
          ) : (
            <Trans>{minutes} min</Trans>
          )
        }
        trailing="next"
        onPress={sheet.show}
      />
      <Sheet sheet={sheet} title={t`Remind me after`}>
        <Problem problem={change.error} />
        <ChoiceList
          label={t`Remind me after`}
          options={[
            { value: NONE, label: t`No reminder`, disabled: change.isPending },
            ...offered.map((value) => ({
              value: `${value}`,
              label: t`${plural(value, { one: "# minute", other: "# minutes" })}`,
              disabled: change.isPending,
            })),
          ]}
          value={minutes === null ? NONE : `${minutes}`}
          onChange={(chosen) =>
            change.mutate({ reminder: offered.find((value) => `${value}` === chosen) ?? null })
          }
        />
      </Sheet>
    </>
  )
}
