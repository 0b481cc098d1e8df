import { Trans } from "@lingui/react/macro"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { call } from "../../lib/api.ts"
import { formatAmount } from "../../lib/money.ts"
import { useOnline } from "../../lib/network.ts"
import { askAnew } from "../../lib/queries.ts"
import { Button } from "../../ui/Button.tsx"

const AMOUNT = "100"
const LOOKS = 20
const LOOK_EVERY = 500

/** Wait until the records show the transaction, or long enough. */
async function seen(hash: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    // One look that fails is followed by the next: the coins are on their way.
    const rows = await call("/api/dapp/rechargeList", { size: 10 }, { seldom: true }).then(
      ({ list }) => list,
      () => [],
    )
    if (rows.some((row) => row.hash === hash)) return
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY))
  }
}

/** Demo mode's tap: a real transfer of test coins on the local chain to the own address. */
export function DemoFaucet({ onSent }: { onSent: () => void }) {
  const client = useQueryClient()
  const online = useOnline()
  const send = useMutation({
    mutationFn: async () => seen((await call("/api/demo/faucet", { amount: AMOUNT })).hash),
    onSuccess: () => {
      askAnew(client, "/api/dapp/rechargeList")
      onSent()
    },
  })
  return (
    <div className="mt-2">
      <Button
        kind="quiet"
        icon="down"
        busy={send.isPending}
        onPress={() => send.mutate()}
        {...(online ? {} : { reason: <Trans>No connection</Trans> })}
      >
        <Trans>Send test USDT</Trans>
      </Button>
      <p className="mt-2 text-center text-small text-t3">
        <Trans>Only in this demo: {formatAmount(AMOUNT, { least: 0 })} USDT on its local chain</Trans>
      </p>
    </div>
  )
}
