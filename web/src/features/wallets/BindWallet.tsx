import { Trans } from "@lingui/react/macro"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { withChecksum } from "../../lib/addresses.ts"
import type { LoginWallet } from "../../lib/api.gen.ts"
import { call } from "../../lib/api.ts"
import { addressOf, type Wallet } from "../../lib/wallet.ts"
import { Notice } from "../../ui/Notice.tsx"
import { TextLink } from "../../ui/TextLink.tsx"
import { WalletChoice, WhyNot } from "../../ui/WalletChoice.tsx"
import { SignToBind } from "./SignToBind.tsx"

/** The sentence that a chosen wallet has to sign. */
export interface Asked {
  wallet: Wallet
  address: string
  nonce: string
  message: string
}

interface Props {
  bound: readonly LoginWallet[]
  onDone: () => void
}

/** Choose a wallet of this browser, then let it sign. */
export function BindWallet({ bound, onDone }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const choose = useMutation({
    mutationFn: async (wallet: Wallet) => {
      const address = withChecksum(await addressOf(wallet))
      if (bound.some((known) => known.address === address)) return address
      const { nonce, message } = await call("/api/auth/nonce", { address }, { quiet: true })
      setAsked({ wallet, address, nonce, message })
      return null
    },
  })
  if (asked) return <SignToBind asked={asked} onDone={onDone} onAgain={() => setAsked(null)} />
  return (
    <>
      <p className="text-t2">
        <Trans>
          Choose the wallet. It shows you a sentence to sign, which moves no coins and costs nothing.
        </Trans>
      </p>
      <WalletChoice
        busy={choose.isPending}
        onChoose={(wallet) => choose.mutate(wallet)}
        none={
          <TextLink to="/wallet-register">
            <Trans>Wallets guide</Trans>
          </TextLink>
        }
      />
      {choose.data && (
        <Notice>
          <Trans>
            The address that this wallet shows is bound to your account already. Choose another there.
          </Trans>
        </Notice>
      )}
      {choose.error && (
        <Notice tone="warn">
          <WhyNot problem={choose.error} />
        </Notice>
      )}
    </>
  )
}
