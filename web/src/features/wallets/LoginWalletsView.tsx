import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { LoginWallet } from "../../lib/api.gen.ts"
import { infoQuery } from "../../lib/queries.ts"
import { formatDateTime } from "../../lib/time.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Line } from "../../ui/Line.tsx"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { SkeletonCard } from "../../ui/SkeletonCard.tsx"
import { BindWallet } from "./BindWallet.tsx"
import { RemoveWallet } from "./RemoveWallet.tsx"
import { ANY_NETWORK } from "./words.ts"

/** /me1?view=wallet: the wallets that log the member in, and what they are not. */
export default function LoginWalletsView() {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  const bound = info.data?.login_wallets
  const binding = useSheet("bind")
  const [chosen, setChosen] = useState<string | null>(null)
  const going = bound?.find(({ address }) => address === chosen)
  const removing = useSheet("remove", going !== undefined)
  return (
    <Page
      title={t`Log-in wallet`}
      back="/me1"
      footer={
        bound && (
          <Button kind={bound.length > 0 ? "quiet" : "primary"} onPress={binding.show}>
            {bound.length > 0 ? <Trans>Bind another wallet</Trans> : <Trans>Bind a wallet</Trans>}
          </Button>
        )
      }
    >
      <p className="mt-2 text-t2">
        <Trans>
          A wallet that you bind logs you in by its signature, without a password, and proves that what is
          burned from it is yours.
        </Trans>
      </p>
      <p className="mt-2 text-small text-t3">
        <Trans>
          Nothing is ever paid out to it: withdrawals go to addresses that you write into a book of their own.
        </Trans>
      </p>
      <Loaded query={info} skeleton={<SkeletonCard className="h-44" />}>
        {({ login_wallets }) =>
          login_wallets.map((wallet) => (
            <BoundWallet
              key={wallet.address}
              wallet={wallet}
              onRemove={() => {
                setChosen(wallet.address)
                removing.show()
              }}
            />
          ))
        }
      </Loaded>
      <Card flush>
        <Row title={t`Withdrawal addresses`} to="/address3" trailing="next" />
        <Row title={t`Wallets guide`} to="/wallet-register" trailing="next" />
      </Card>
      <Sheet sheet={binding} title={t`Bind a wallet`}>
        <BindWallet bound={bound ?? []} onDone={binding.hide} />
      </Sheet>
      <Sheet sheet={removing} title={t`Remove this wallet?`}>
        {going && <RemoveWallet wallet={going} onDone={removing.hide} />}
      </Sheet>
    </Page>
  )
}

function BoundWallet({ wallet, onRemove }: { wallet: LoginWallet; onRemove: () => void }) {
  return (
    <Card>
      <Address address={wallet.address} network={ANY_NETWORK} />
      <div className="mt-3">
        <Line name={<Trans>Bound since</Trans>}>{formatDateTime(wallet.bound_at)}</Line>
      </div>
      <div className="mt-3">
        <Button kind="quiet" small onPress={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </Card>
  )
}
