import { Trans, useLingui } from "@lingui/react/macro"
import { useState } from "react"
import { useOnline } from "../../lib/network.ts"
import { formatDateTime, useServerNow } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Check } from "../../ui/Check.tsx"
import { Problem } from "../../ui/Problem.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { monthsLater } from "./ends.ts"
import { PauseTerms } from "./PauseTerms.tsx"
import { usePause } from "./useLimits.ts"

const MONTHS = { "6": 6, "12": 12, "24": 24, "60": 60 }
type Choice = keyof typeof MONTHS

interface Props {
  /** The end of the exclusion that runs. */
  present: number | null
  onDone: () => void
}

/** In two steps: for how long and what that means, then that it is meant. */
export function ExcludeForm({ present, onDone }: Props) {
  const { t } = useLingui()
  const [choice, setChoice] = useState<Choice>("6")
  const [asked, setAsked] = useState(false)
  const [meant, setMeant] = useState(false)
  const online = useOnline()
  const months = MONTHS[choice]
  const until = monthsLater(useServerNow(), months)
  const exclusion = usePause("/api/user/selfExclude", onDone)
  if (!asked) {
    const shorter = present !== null && until <= present && t`Your present exclusion lasts longer.`
    return (
      <>
        <Segmented
          label={t`For how long`}
          options={[
            { value: "6", label: t`6 months` },
            { value: "12", label: t`1 year` },
            { value: "24", label: t`2 years` },
            { value: "60", label: t`5 years` },
          ]}
          value={choice}
          onChange={setChoice}
        />
        <PauseTerms until={until} />
        <div className="mt-5">
          <Button kind="quiet" onPress={() => setAsked(true)} {...(shorter && { reason: shorter })}>
            <Trans>Continue</Trans>
          </Button>
        </div>
      </>
    )
  }
  const reason = !online
    ? t`No connection to the server`
    : meant
      ? undefined
      : t`Confirm above that you mean it.`
  return (
    <>
      <p className="text-t2">
        <Trans>
          Until {formatDateTime(until)} you can't bet or invest here. Nobody can shorten this: not you, and
          not our support.
        </Trans>
      </p>
      <Check checked={meant} onChange={setMeant}>
        <Trans>I understand this, and exclude myself</Trans>
      </Check>
      <div className="mt-3 flex flex-col gap-2">
        <Problem problem={exclusion.error} />
        <Button
          kind="danger"
          busy={exclusion.isPending}
          onPress={() => exclusion.mutate({ months })}
          {...(reason !== undefined && { reason })}
        >
          <Trans>Exclude me</Trans>
        </Button>
        <Button kind="quiet" disabled={exclusion.isPending} onPress={() => setAsked(false)}>
          <Trans>Back</Trans>
        </Button>
      </div>
    </>
  )
}
