import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { financeQuery } from "../../lib/queries.ts"
import { Chips } from "../../ui/Chips.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { CoinHead } from "./CoinHead.tsx"
import { useCoinNames } from "./coinNames.ts"
import { coinOf, hasBalance } from "./coins.ts"
import { DateFilter } from "./DateFilter.tsx"
import { Statement } from "./Statement.tsx"
import { type Coin, type CoinSearch, SORTS } from "./search.ts"
import { useSortNames } from "./sorts.ts"

/** What there is of one coin, and everything that ever moved it. */
export function CoinAccount({ coin }: { coin: Coin }) {
  const { t } = useLingui()
  const search = useSearch({ from: "/node1" })
  const navigate = useNavigate({ from: "/node1" })
  const nameOf = useCoinNames()
  const sortNames = useSortNames()
  const finance = useQuery(financeQuery())
  const change = (part: CoinSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true })
  const held = finance.data?.list.flatMap(({ asset }) => coinOf(asset) ?? []) ?? ["USDT", "KLS"]
  const chips = held.includes(coin) ? held : [...held, coin]
  return (
    <>
      <Chips
        label={t`Coin`}
        options={chips.map((value) => ({ value, label: nameOf(value) }))}
        value={coin}
        onChange={(value) => change({ coin: value })}
      />
      {hasBalance(coin) && <CoinHead coin={coin} finance={finance} />}
      <div className="mt-6 flex items-center justify-between gap-3">
        <h2 className="text-h2">
          <Trans>History</Trans>
        </h2>
        <div className="-mr-3 flex items-center">
          <DateFilter from={search.from} to={search.to} onChange={(dates) => change(dates as CoinSearch)} />
          <RefreshButton />
        </div>
      </div>
      <div className="mt-1">
        <Chips
          label={t`Type`}
          options={[
            { value: "all", label: t`All` },
            ...SORTS.map((value) => ({ value, label: sortNames[value] })),
          ]}
          value={search.type ?? "all"}
          onChange={(value) => change({ type: value === "all" ? undefined : value } as CoinSearch)}
        />
      </div>
      <Statement key={coin} coin={coin} type={search.type} from={search.from} to={search.to} />
    </>
  )
}
