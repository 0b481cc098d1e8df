import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { withFigures } from "../../lib/figures.ts"
import { formatPercent } from "../../lib/money.ts"
import { callQuery } from "../../lib/queries.ts"
import { Disclosure } from "../../ui/Disclosure.tsx"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"

/** The rules of each game in the server's words, asked for when they are opened. Absent: games that aren't built. */
export function GameRules() {
  const { t } = useLingui()
  return <Rules game="odd_even" name={t`Odd / Even`} />
}

function Rules({ game, name }: { game: string; name: string }) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const rules = useQuery({ ...callQuery("/api/basic/gameplayDesc", { game }), enabled: opened })
  return (
    <Disclosure title={t`Rules of ${name}`} onOpen={() => setOpened(true)}>
      {/* What isn't asked for isn't loading. */}
      {opened && (
        <Loaded query={rules} skeleton={<Skeleton className="h-48 w-full rounded-chip" />}>
          {(data) => (
            <>
              <ol className="mb-2 flex flex-col gap-2 text-t2">
                {data.rules.map((rule, index) => (
                  <li key={rule} className="flex gap-3">
                    <span className="w-4 shrink-0 font-mono text-t3">{index + 1}</span>
                    <span className="min-w-0">{withFigures(rule)}</span>
                  </li>
                ))}
              </ol>
              <Line name={<Trans>Return to player</Trans>}>{formatPercent(data.return_to_player)}</Line>
            </>
          )}
        </Loaded>
      )}
    </Disclosure>
  )
}
