import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import { useEffect, useRef, useSyncExternalStore } from "react"
import { payments, watchPayments } from "../../lib/paying.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Line } from "../../ui/Line.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { limitsQuery } from "./queries.ts"
import { tellStay, useStay } from "./stay.ts"

const MINUTE_MS = 60_000
/** The shortest reminder: before it nobody needs to be asked for his own. */
const LEAST_MS = 5 * MINUTE_MS
const ASKED_EVERY_MS = 5 * MINUTE_MS
const NAME = "reminder"

/** What has no answer yet is told of on its own screen alone. */
const isPayingHere = () => [...payments].some((one) => one.isShown() && one.read().step !== "form")

/** Says after the minutes that the member chose how long he has been here, in whichever tab; never over a payment. */
export default function Reminder() {
  const { t } = useLingui()
  const stay = useStay()
  const spent = stay.seen - stay.told
  const asked = spent >= LEAST_MS
  const limits = useQuery({ ...limitsQuery(), enabled: asked, refetchInterval: ASKED_EVERY_MS })
  const { data, refetch } = limits
  const due = asked && data !== undefined && data.reminder !== null && spent >= data.reminder * MINUTE_MS
  const sheet = useSheet(NAME, due || (asked && limits.isPending))
  const paying = useSyncExternalStore(watchPayments, isPayingHere)
  const covered = useRouterState({
    select: ({ location: { state } }) => state.receipt !== undefined || (state.sheet ?? NAME) !== NAME,
  })
  const free = due && !paying && !covered
  const { shown, show } = sheet
  const before = useRef(shown)
  const opening = useRef(false)
  useEffect(() => {
    // However it was closed, it was read.
    if (before.current && !shown) tellStay()
    before.current = shown
    if (shown || !free) opening.current = false
    else if (!opening.current) {
      opening.current = true
      show()
    }
  }, [shown, free, show])
  useEffect(() => {
    if (due) void refetch()
  }, [due, refetch])
  const minutes = Math.floor((stay.seen - stay.since) / MINUTE_MS)
  return (
    <Sheet
      sheet={sheet}
      title={t`A look at the clock`}
      footer={
        <div className="flex flex-col gap-2">
          <Button to="/me1" search={{ view: "limits" }}>
            <Trans>Take a break</Trans>
          </Button>
          <Button kind="quiet" onPress={sheet.hide}>
            <Trans>Go on</Trans>
          </Button>
        </div>
      }
    >
      <p className="text-t2">
        <Plural
          value={minutes}
          one="You have been here for # minute."
          other="You have been here for # minutes."
        />
      </p>
      {data && (
        <div className="mt-3 mb-4">
          <Line name={<Trans>Stakes today</Trans>}>
            <Amount value={data.stake.used} asset="USDT" private />
          </Line>
          <Line name={<Trans>Result today</Trans>}>
            <Amount value={data.result} asset="USDT" sign private />
          </Line>
        </div>
      )}
    </Sheet>
  )
}
