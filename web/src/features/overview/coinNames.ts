import { useLingui } from "@lingui/react/macro"
import type { Coin } from "./search.ts"

/** A statement's name on the screen: a coin's own code, or words. */
export function useCoinNames(): (coin: Coin) => string {
  const { t } = useLingui()
  const words: Partial<Record<Coin, string>> = {
    points: t`Points`,
    energy: t`Energy`,
    power: t`Hash power`,
    fees: t`Fees in USA`,
    dividends: t`Pool dividends`,
    unclaimed: t`Pool profit to claim`,
  }
  return (coin) => words[coin] ?? coin
}
