import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { useOnline } from "../../lib/network.ts"
import { useServerNow } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { QuickKeys } from "../../ui/QuickKeys.tsx"
import { Stepper } from "../../ui/Stepper.tsx"
import { daysLater } from "./ends.ts"
import { PauseTerms } from "./PauseTerms.tsx"
import { usePause } from "./useLimits.ts"

const MOST_DAYS = 90
const QUICK = [1, 7, 30, 90]

interface Props {
  /** The end of the break that runs. */
  present: number | null
  onDone: () => void
}

/** How many days, and what that means; a shorter one than runs already changes nothing. */
export function BreakForm({ present, onDone }: Props) {
  const { t } = useLingui()
  const [days, setDays] = useState(7)
  const online = useOnline()
  const until = daysLater(useServerNow(), days)
  const pause = usePause("/api/user/takeBreak", onDone)
  const reason = !online
    ? t`No connection to the server`
    : present !== null && until <= present
      ? t`Your present break lasts longer.`
      : undefined
  return (
    <>
      <Stepper label={t`Days`} value={days} onChange={setDays} most={MOST_DAYS} />
      <QuickKeys
        label={t`Days`}
        options={QUICK.map((quick) => ({ label: `${quick}`, onPress: () => setDays(quick) }))}
      />
      <PauseTerms until={until} />
      <p className="mt-2 text-small text-warn">
        <Trans>Once it has begun, nobody can shorten it.</Trans>
      </p>
      <div className="mt-5">
        <Problem problem={pause.error} />
        <Button
          busy={pause.isPending}
          onPress={() => pause.mutate({ days })}
          {...(reason !== undefined && { reason })}
        >
          <Plural value={days} one="Take a break of # day" other="Take a break of # days" />
        </Button>
      </div>
    </>
  )
}
