import { Trans, useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { formatCount, isZero, share } from "../../lib/money.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Bar } from "../../ui/Bar.tsx"
import { Card } from "../../ui/Card.tsx"
import { Line } from "../../ui/Line.tsx"
import { Tag } from "../../ui/Tag.tsx"

/** What the member and the whole team turned over, how many they are, and how it falls into two zones. */
export function TeamHead({ info }: { info: InfoAnswer }) {
  const { t } = useLingui()
  const own = (value: string) => <Amount value={value} asset="USDT" private most={2} />
  return (
    <Card
      title={t`Team turnover`}
      note={
        <Tag>
          <Trans>Level {info.level}</Trans>
        </Tag>
      }
    >
      <Amount value={info.team_turnover} asset="USDT" display private most={2} />
      {!isZero(info.team_turnover) && (
        <Bar
          parts={[
            { label: t`Large zone`, share: share(info.large_zone, info.team_turnover) },
            { label: t`Small zone`, share: share(info.small_zone, info.team_turnover) },
          ]}
        />
      )}
      <div className="mt-3">
        <Line name={t`This month`}>{own(info.team_performance)}</Line>
        <Line name={t`My own turnover`}>{own(info.turnover)}</Line>
        <Line name={t`My own this month`}>{own(info.personal_performance)}</Line>
        <Line name={t`People in the team`}>{formatCount(info.team_users)}</Line>
        <Line name={t`Invited by me`}>{formatCount(info.direct_users)}</Line>
        {info.superior !== null && <Line name={t`Invited me`}>{info.superior}</Line>}
      </div>
      <p className="mt-2 text-small text-t3">
        <Trans>
          The large zone is your strongest line, the small zone all others together. Your level follows from
          the small zone.
        </Trans>
      </p>
    </Card>
  )
}
