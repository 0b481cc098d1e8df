import { useLingui } from "@lingui/react/macro"
import type { Sort } from "./search.ts"

/** The ledger's word for each sort of movement. */
const KINDS: Readonly<Record<Sort, string>> = {
  topup: "chain.deposit",
  stake: "game.stake",
  prize: "game.prize",
  back: "game.stake_back",
  refund: "game.refund",
}

export const kindOf = (sort: Sort): string => KINDS[sort]

export function useSortNames(): Readonly<Record<Sort, string>> {
  const { t } = useLingui()
  return {
    topup: t({ message: "Top-ups", context: "a kind of movement" }),
    stake: t`Stakes`,
    prize: t`Winnings`,
    back: t`Stakes back`,
    refund: t`Returned`,
  }
}
