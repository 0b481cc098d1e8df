import { useLingui } from "@lingui/react/macro"
import type { TeamLine } from "./queries.ts"

/** What a member and all below turned over, ever and this month, each by its name. */
export function useTurnovers() {
  const { t } = useLingui()
  return (row: TeamLine): [string, string][] => [
    [t`Their own turnover`, row.turnover],
    [t`Their own this month`, row.personal_performance],
    [t`Turnover below them`, row.team_turnover],
    [t`Below them this month`, row.team_performance],
  ]
}
