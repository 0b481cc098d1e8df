import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { withFigures } from "../../lib/figures.ts"
import { formatAmount, formatPercent, minus } from "../../lib/money.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { rulesQuery } from "./queries.ts"
import { useWords } from "./words.ts"

/** How the game works and pays, in the operator's words, and how to check a result without the operator. */
export function Rules({ game }: { game: string }) {
  const { t } = useLingui()
  const words = useWords()
  const rules = useQuery(rulesQuery(game))
  return (
    <Loaded query={rules} skeleton={<SkeletonCard className="h-96" />}>
      {(data) => (
        <>
          <Card title={t`What it pays`}>
            {data.options.map(({ option, chance, multiple }) => (
              <Line key={option} name={words.option(option)}>
                <Trans>
                  {formatPercent(chance)} chance, pays {formatAmount(multiple, { least: 0 })}× the stake
                </Trans>
              </Line>
            ))}
            <Line name={<Trans>Return to player</Trans>}>{formatPercent(data.return_to_player)}</Line>
            <Line name={<Trans>The house keeps</Trans>}>
              <Trans>{formatPercent(minus("1", data.return_to_player))} on average</Trans>
            </Line>
          </Card>
          <Card title={t`Rules`}>
            <ol className="flex flex-col gap-3">
              {data.rules.map((rule, index) => (
                <li key={rule} className="flex gap-3 text-t2">
                  <span className="w-4 shrink-0 font-mono text-t3">{index + 1}</span>
                  <span className="min-w-0">{withFigures(rule)}</span>
                </li>
              ))}
            </ol>
          </Card>
          <Card title={t`How results are proven`}>
            <p className="text-t2">
              <Trans>
                Open a bet and press “Check it yourself”; an opened round is checked at once. This page
                computes the block's number, the digit, the prize and the Merkle proof anew on your device.
                The command verify-round does the same against any node of the chain, without our database.
              </Trans>
            </p>
            <div className="mt-4 grid grid-cols-2 gap-2">
              <Button kind="quiet" small to="/game1" search={{ game, view: "bets" }}>
                <Trans>My bets</Trans>
              </Button>
              <Button kind="quiet" small to="/game1" search={{ game, view: "trend" }}>
                <Trans>All rounds</Trans>
              </Button>
            </div>
          </Card>
        </>
      )}
    </Loaded>
  )
}
