import { useLingui } from "@lingui/react/macro"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useAccountUpdates } from "../../lib/account.ts"
import { Page } from "../../ui/Page.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { DepositList } from "./DepositList.tsx"
import { HashForm } from "./HashForm.tsx"
import { OwnAddress } from "./OwnAddress.tsx"
import type { TopUpTab } from "./search.ts"

// A screenshot with a hash (submitHash, uploadVoucher) comes with its calls.
/** /node3: where to send USDT, what to do if it doesn't show, and what has come. */
export default function TopUpPage() {
  const { t } = useLingui()
  const { tab = "address", status } = useSearch({ from: "/node3" })
  const navigate = useNavigate({ from: "/node3" })
  // Kept while the other parts are looked at.
  const [hash, setHash] = useState("")
  useAccountUpdates()
  const choose = (next: TopUpTab) => void navigate({ search: { tab: next }, replace: true })
  return (
    <Page title={t`Top up`} back="/node" action={<RefreshButton />}>
      <Segmented
        label={t`Part`}
        options={[
          { value: "address", label: t`Address` },
          { value: "hash", label: t`Submit hash` },
          { value: "records", label: t`Records` },
        ]}
        value={tab}
        onChange={choose}
      />
      {tab === "address" && <OwnAddress onSent={() => choose("records")} />}
      {tab === "hash" && (
        <HashForm
          text={hash}
          onType={setHash}
          onDone={() => {
            setHash("")
            choose("records")
          }}
        />
      )}
      {tab === "records" && (
        <DepositList
          status={status}
          onStatus={(next) =>
            void navigate({ search: { tab: "records", ...(next && { status: next }) }, replace: true })
          }
        />
      )}
    </Page>
  )
}
