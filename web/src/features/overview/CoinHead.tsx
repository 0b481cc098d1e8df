import { Trans } from "@lingui/react/macro"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { FinanceAnswer } from "../../lib/api.gen.ts"
import { plus } from "../../lib/money.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Button } from "../../ui/Button.tsx"
import { Failed } from "../../ui/Failed.tsx"
import { HideToggle } from "../../ui/HideToggle.tsx"
import { Stale } from "../../ui/Loaded.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { useCoinNames } from "./coinNames.ts"
import { assetOf } from "./coins.ts"
import type { Coin } from "./search.ts"

interface Props {
  coin: Coin
  finance: UseQueryResult<FinanceAnswer>
}

const NOTHING = { available: "0", held: "0", value: "0" }
const PLAYED: readonly Coin[] = ["USDT", "KLS"]

/** All there is of a coin, then what is free, what is held and what it is worth. */
export function CoinHead({ coin, finance }: Props) {
  const name = useCoinNames()(coin)
  // An account that isn't in the list holds nothing.
  const holding = finance.data && (finance.data.list.find(({ asset }) => asset === assetOf(coin)) ?? NOTHING)
  if (!holding && finance.isError) {
    return <Failed onRetry={() => void finance.refetch()} problem={finance.error} />
  }
  return (
    <section className="mt-4">
      <p className="flex items-center text-small text-t3">
        <Trans>Balance · {name}</Trans>
        <HideToggle />
      </p>
      <div className="min-h-11">
        {holding ? (
          <Amount value={plus(holding.available, holding.held)} hero private />
        ) : (
          <Skeleton className="h-11 w-52" />
        )}
      </div>
      <Stale query={finance} />
      <dl className="mt-3 flex flex-wrap gap-3">
        <Part name={<Trans>Available</Trans>}>
          {holding && <Amount value={holding.available} private copy />}
        </Part>
        <Part name={<Trans>Held</Trans>}>{holding && <Amount value={holding.held} private />}</Part>
        <Part name={<Trans>Value · USDT</Trans>}>
          {holding && <Amount value={holding.value} private most={2} />}
        </Part>
      </dl>
      {PLAYED.includes(coin) && (
        <div className="mt-4 flex flex-wrap gap-2 *:min-w-fit *:flex-1">
          {coin === "USDT" && (
            <Button small to="/node3">
              <Trans>Top up</Trans>
            </Button>
          )}
          <Button small kind="quiet" to="/node4" search={{ coin }}>
            <Trans>Withdraw</Trans>
          </Button>
          <Button small kind="quiet" to="/game1">
            <Trans>Play</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

function Part({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-fit flex-1 basis-24">
      <dt className="text-small text-t3">{name}</dt>
      <dd>{children ?? <Skeleton className="mt-1 h-4 w-16" />}</dd>
    </div>
  )
}
