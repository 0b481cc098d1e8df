import { Trans, useLingui } from "@lingui/react/macro"
import { formatCount } from "../../lib/money.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Line } from "../../ui/Line.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import type { TeamLine } from "./queries.ts"
import { ACCOUNT } from "./search.ts"
import { Turnover } from "./Turnover.tsx"
import { useTurnovers } from "./turnovers.ts"

interface Props {
  row: TeamLine
  bands: readonly string[]
  onLine: (account: string) => void
}

/** One member of the team in full, and the way to whom they invited where the account may be known. */
export function MemberSheet({ row, bands, onLine }: Props) {
  const { t } = useLingui()
  const sheet = useSheet("member")
  const known = ACCOUNT.test(row.account) && row.direct_users > 0
  const turnovers = useTurnovers()
  const lines: [string, string][] = [
    ...turnovers(row),
    [t`Large zone`, row.large_zone],
    [t`Small zone`, row.small_zone],
  ]
  return (
    <Sheet
      sheet={sheet}
      title={row.account}
      footer={
        known && (
          <Button onPress={() => onLine(row.account)}>
            <Trans>Show whom they invited</Trans>
          </Button>
        )
      }
    >
      {lines.map(([name, value]) => (
        <Line key={name} name={name}>
          <Turnover value={value} bands={bands} />
        </Line>
      ))}
      <Line name={t`Level`}>{formatCount(row.level)}</Line>
      <Line name={t`Invited by them`}>{formatCount(row.direct_users)}</Line>
      <Line name={t`People below them`}>{formatCount(row.team_users)}</Line>
      <Line name={t`Joined`}>{formatDateTime(row.registered_at)}</Line>
    </Sheet>
  )
}
