import { useLingui } from "@lingui/react/macro"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useAccountUpdates } from "../../lib/account.ts"
import { Card } from "../../ui/Card.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Page } from "../../ui/Page.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { CoinAccount } from "./CoinAccount.tsx"
import { CoinPicker } from "./CoinPicker.tsx"
import { Income } from "./Income.tsx"
import type { Coin, CoinSearch } from "./search.ts"

// Transfers come with their domain.
/** /node1: one coin and everything that ever moved it, or all income. What is shown stands in the address. */
export default function CoinPage() {
  const { t } = useLingui()
  const search = useSearch({ from: "/node1" })
  const navigate = useNavigate({ from: "/node1" })
  const picker = useSheet("coins")
  useAccountUpdates()
  const show = (shown: CoinSearch) => void navigate({ search: shown, replace: true })
  const choose = (coin: Coin) => show({ coin })
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
  return (
    <Page
      title={t`Account and history`}
      back="/node"
      action={<IconButton icon="list" size={5} label={t`All statements`} onPress={picker.show} />}
    >
      <div className="mb-4">
        <Segmented
          label={t`Part`}
          options={[
            { value: "balance", label: t`Balance` },
            { value: "income", label: t`Income` },
          ]}
          value={search.tab ?? "balance"}
          onChange={(next) => {
            const { tab: _, ...filters } = search
            show(next === "income" ? { ...filters, tab: next } : filters)
          }}
        />
      </div>
      {search.tab === "income" ? <Income /> : <CoinAccount coin={coin} />}
      <Sheet sheet={picker} title={t`All statements`}>
        <CoinPicker value={search.tab === "income" ? null : coin} onChange={choose} />
      </Sheet>
    </Page>
  )
}
