import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useAccountUpdates } from "../../lib/account.ts"
import { financeQuery } from "../../lib/queries.ts"
import { Card } from "../../ui/Card.tsx"
import { Chips } from "../../ui/Chips.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Page } from "../../ui/Page.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { CoinHead } from "./CoinHead.tsx"
import { CoinPicker } from "./CoinPicker.tsx"
import { useCoinNames } from "./coinNames.ts"
import { coinOf, hasBalance } from "./coins.ts"
import { DateFilter } from "./DateFilter.tsx"
import { Statement } from "./Statement.tsx"
import { type Coin, type CoinSearch, SORTS } from "./search.ts"
import { useSortNames } from "./sorts.ts"

// The income tab (auth/income) and transfers come with their domains.
/** /node1: one coin, and everything that ever moved it. Coin and filters stand in the address. */
export default function CoinPage() {
  const { t } = useLingui()
  const search = useSearch({ from: "/node1" })
  const navigate = useNavigate({ from: "/node1" })
  const picker = useSheet("coins")
  const nameOf = useCoinNames()
  const sortNames = useSortNames()
  useAccountUpdates()
  const finance = useQuery(financeQuery())
  const change = (part: CoinSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true })
  const choose = (coin: Coin) => void navigate({ search: { coin }, replace: true })
  if (search.coin === "unknown") {
    return (
      <Page title={t`Which coin?`} back="/node">
        <Card flush>
          <CoinPicker value={null} onChange={choose} />
        </Card>
      </Page>
    )
  }
  const coin = search.coin ?? "USDT"
  const held = finance.data?.list.flatMap(({ asset }) => coinOf(asset) ?? []) ?? ["USDT", "KLS"]
  const chips = held.includes(coin) ? held : [...held, coin]
  return (
    <Page
      title={t`Account and history`}
      back="/node"
      action={<IconButton icon="list" size={5} label={t`All statements`} onPress={picker.show} />}
    >
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
        <DateFilter from={search.from} to={search.to} onChange={(dates) => change(dates as CoinSearch)} />
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
      <Sheet sheet={picker} title={t`All statements`}>
        <CoinPicker value={coin} onChange={choose} />
      </Sheet>
    </Page>
  )
}
