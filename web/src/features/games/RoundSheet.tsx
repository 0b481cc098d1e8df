import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { ResultRow } from "../../lib/api.gen.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { CheckList } from "./CheckList.tsx"
import { checkRound } from "./fairness.ts"
import { roundQuery } from "./queries.ts"
import { RoundFacts } from "./RoundFacts.tsx"
import { VoidNote } from "./VoidNote.tsx"

/** All inputs of one round's result, and the result computed anew on this device. */
export function RoundSheet({ round }: { round: ResultRow }) {
  const { t } = useLingui()
  const sheet = useSheet("round")
  const proof = useQuery({ ...roundQuery(round.round), enabled: sheet.shown })
  return (
    <Sheet sheet={sheet} title={t`Round and block`}>
      <Loaded query={proof} skeleton={<Skeleton className="h-72 w-full rounded-card" />}>
        {(data) => (
          <>
            {data.state === "void" && <VoidNote round={{ ...round, void_reason: data.void_reason }} />}
            <RoundFacts round={data} />
            <h3 className="mt-5 font-semibold">
              <Trans>Checked on this device</Trans>
            </h3>
            <CheckList checks={checkRound(data)} />
          </>
        )}
      </Loaded>
    </Sheet>
  )
}
