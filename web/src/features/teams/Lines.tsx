import { Trans, useLingui } from "@lingui/react/macro"
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Refusal } from "../../lib/api.ts"
import type { Page } from "../../lib/calls.ts"
import { formatCount } from "../../lib/money.ts"
import { plainDigits } from "../../lib/plainDigits.ts"
import { rowsOf } from "../../lib/queries.ts"
import { formatDay } from "../../lib/time.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Row } from "../../ui/Row.tsx"
import { SearchField } from "../../ui/SearchField.tsx"
import { useSheet } from "../../ui/Sheet.tsx"
import { MemberSheet } from "./MemberSheet.tsx"
import { bandsOf, lineQuery, sharedQuery, type TeamLine } from "./queries.ts"
import { ACCOUNT } from "./search.ts"
import { Turnover } from "./Turnover.tsx"
import { useTurnovers } from "./turnovers.ts"

interface Whose {
  /** Show the direct line of that account. */
  onLine: (account: string | undefined) => void
}

/** Whom the member invited, and since when. */
export function Direct({ onLine }: Whose) {
  return <Rows query={useInfiniteQuery(sharedQuery())} whole={false} onLine={onLine} />
}

/** The direct line of the member or of anybody below, each with all below them; found by the account. */
export function Line({ account, onLine }: Whose & { account: string | undefined }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(account ?? "")
  const [shown, setShown] = useState(account)
  if (shown !== account) {
    setShown(account)
    setTyped(account ?? "")
  }
  const line = useInfiniteQuery(lineQuery(account))
  const search = (text: string) => {
    setTyped(text)
    const wanted = plainDigits(text).trim()
    if (ACCOUNT.test(wanted)) onLine(wanted)
    else if (text === "") onLine(undefined)
  }
  const strange = line.error instanceof Refusal && line.error.error === "not_found"
  return (
    <>
      <div className="mt-4">
        <SearchField label={t`Account in your team`} value={typed} onChange={search} />
      </div>
      {account !== undefined && !strange && (
        <p className="mt-3 text-small text-t3">
          <Trans>
            Invited by {account}. Below your own line accounts are masked and turnover is a range.
          </Trans>
        </p>
      )}
      {strange ? (
        <Empty
          text={t`Nobody in your team has this account.`}
          action={
            <Button kind="quiet" small onPress={() => search("")}>
              <Trans>Show your own line</Trans>
            </Button>
          }
        />
      ) : (
        <Rows query={line} whole onLine={onLine} />
      )}
    </>
  )
}

interface RowsProps extends Whose {
  query: UseInfiniteQueryResult<InfiniteData<Page<TeamLine>>>
  /** Rows say how many are below, not since when. */
  whole: boolean
}

function Rows({ query, whole, onLine }: RowsProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const bands = bandsOf(query.data?.pages[0])
  const shown = rowsOf(query.data).find((row) => keyOf(row) === opened)
  const sheet = useSheet("member", shown !== undefined)
  return (
    <>
      <InfiniteList
        query={query}
        keyOf={keyOf}
        row={(row) => (
          <>
            <Row
              icon={<Avatar account={row.account} />}
              title={<span className="font-mono">{row.account}</span>}
              note={
                whole ? (
                  <Trans>
                    Level {row.level} · {formatCount(row.team_users)} below
                  </Trans>
                ) : (
                  <Trans>
                    Level {row.level} · since {formatDay(row.registered_at)}
                  </Trans>
                )
              }
              trailing="next"
              onPress={() => {
                setOpened(keyOf(row))
                sheet.show()
              }}
            />
            <Turnovers row={row} bands={bands} />
          </>
        )}
        empty={<NoTeam />}
      />
      {shown && <MemberSheet row={shown} bands={bands} onLine={onLine} />}
    </>
  )
}

/** Ever and this month, of the member and of all below. */
function Turnovers({ row, bands }: { row: TeamLine; bands: readonly string[] }) {
  const of = useTurnovers()
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 pb-3 text-small">
      {of(row).map(([name, value]) => (
        <div key={name}>
          <dt className="text-t3">{name}</dt>
          <dd>
            <Turnover value={value} bands={bands} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

// Masked accounts may be alike; the moment of joining tells them apart.
const keyOf = (row: TeamLine): string => `${row.account} ${row.registered_at}`

function NoTeam() {
  const { t } = useLingui()
  return (
    <Empty
      text={t`Nobody has been invited here yet.`}
      action={
        <Button small to="/invite">
          <Trans>Invite friends</Trans>
        </Button>
      }
    />
  )
}
