import { useLingui } from "@lingui/react/macro"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import { Chips } from "../../ui/Chips.tsx"
import { Page } from "../../ui/Page.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { useReceipt } from "../../ui/useReceipt.ts"
import { endDrafts } from "./draft.ts"
import { COINS, type Coin, type WithdrawSearch } from "./search.ts"
import { WithdrawalList } from "./WithdrawalList.tsx"
import { WithdrawForm } from "./WithdrawForm.tsx"
import { WithdrawnPage } from "./WithdrawnPage.tsx"
import type { WithdrawReceipt } from "./withdrawing.ts"

// Absent: the card of claimable USDT with its Claim (receiveUsdt). Nothing that is built makes anything claimable, and no
// call tells how much is; both come with the first domain that pays so.
/** /node4: coins to an address of the own book, and what has become of each. */
export default function WithdrawPage() {
  const { t } = useLingui()
  const { tab = "form", coin = "USDT", wallet, status } = useSearch({ from: "/node4" })
  const navigate = useNavigate({ from: "/node4" })
  const { receipt } = useReceipt()
  // Kept while the records are looked at, and no longer than until a withdrawal was made of it.
  const [typed, setTyped] = useState<Partial<Record<Coin, string>>>({})
  if (receipt !== null && Object.keys(typed).length > 0) setTyped({})
  useEffect(() => {
    if (receipt !== null) endDrafts()
  }, [receipt])
  useAccountUpdates()
  const change = (part: WithdrawSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true })
  if (receipt !== null) return <WithdrawnPage receipt={receipt as WithdrawReceipt} />
  return (
    <Page title={t`Withdraw`} back="/node" action={<RefreshButton />}>
      <Segmented
        label={t`Part`}
        options={[
          { value: "form", label: t`Withdraw` },
          { value: "records", label: t`Records` },
        ]}
        value={tab}
        onChange={(next) => change({ tab: next })}
      />
      <div className="mt-2">
        <Chips
          label={t`Coin`}
          options={COINS.map((value) => ({ value, label: value }))}
          value={coin}
          onChange={(next) => change({ coin: next })}
        />
      </div>
      {tab === "form" ? (
        <WithdrawForm
          coin={coin}
          wallet={wallet}
          onWallet={(id) => change({ wallet: id })}
          typed={typed[coin]}
          onType={(text) => setTyped((before) => ({ ...before, [coin]: text }))}
        />
      ) : (
        <WithdrawalList
          coin={coin}
          status={status}
          onStatus={(next) => change({ status: next } as WithdrawSearch)}
        />
      )}
    </Page>
  )
}
