import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { LimitsAnswer } from "../../lib/api.gen.ts"
import { useServerNow } from "../../lib/time.ts"
import { Card } from "../../ui/Card.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { LimitRow } from "./LimitRow.tsx"
import { KINDS } from "./limits.ts"
import { PauseCard } from "./PauseCard.tsx"
import { PausedNotice } from "./PausedNotice.tsx"
import { limitsQuery } from "./queries.ts"
import { ReminderRow } from "./ReminderRow.tsx"

const PACE_MS = 60_000

/** What a member sets for himself: limits of a day, a reminder, a pause. */
export function LimitsView() {
  const limits = useQuery(limitsQuery())
  return (
    <Loaded
      query={limits}
      skeleton={
        <>
          <SkeletonCard className="h-80" />
          <SkeletonCard className="h-18" />
          <SkeletonCard className="h-44" />
        </>
      }
    >
      {(data) => <Content limits={data} />}
    </Loaded>
  )
}

function Content({ limits }: { limits: LimitsAnswer }) {
  const { t } = useLingui()
  const now = useServerNow(PACE_MS)
  const { paused_until: paused, excluded_until: excluded } = limits
  return (
    <>
      <PausedNotice paused={paused !== null && now < paused ? paused : null} excluded={excluded} />
      <Card flush title={t`Limits of a day`} note={<Trans>from 00:00 UTC+8</Trans>}>
        {KINDS.map((kind) => (
          <LimitRow key={kind} kind={kind} limits={limits} />
        ))}
      </Card>
      <p className="mt-2 px-4 text-small text-t3">
        <Trans>A lower limit counts at once. A higher one, or none, counts only after a wait.</Trans>
      </p>
      <Card flush>
        <ReminderRow minutes={limits.reminder} />
      </Card>
      <PauseCard paused={paused} excluded={excluded} />
    </>
  )
}
