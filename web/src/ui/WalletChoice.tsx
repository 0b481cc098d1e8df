import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { findWallets, type Wallet, WalletProblem } from "../lib/wallet.ts"
import { Icon } from "./Icon.tsx"
import { Loaded } from "./Loaded.tsx"
import { Notice } from "./Notice.tsx"
import { Row } from "./Row.tsx"
import { SkeletonRows } from "./SkeletonRows.tsx"

interface Props {
  /** One was chosen and is being asked. */
  busy: boolean
  onChoose: (wallet: Wallet) => void
  /** A way on where this browser has none. */
  none?: ReactNode
}

/** The wallets that this browser has, or what to do without one. */
export function WalletChoice({ busy, onChoose, none }: Props) {
  const { t } = useLingui()
  const wallets = useQuery({ queryKey: ["wallets"], queryFn: () => findWallets(), gcTime: 0 })
  return (
    <Loaded
      query={wallets}
      skeleton={<SkeletonRows rows={1} />}
      empty={{ when: (found) => found.length === 0, show: <NoWallet>{none}</NoWallet> }}
    >
      {(found) => (
        <ul className="mt-2">
          {found.map((wallet) => (
            <li key={wallet.id}>
              <Row
                icon={<Icon name="assets" size={5} className="text-t2" />}
                title={wallet.name || t`The wallet of this browser`}
                {...(busy
                  ? { note: t`Confirm in your wallet` }
                  : { trailing: "next" as const, onPress: () => onChoose(wallet) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function NoWallet({ children }: { children: ReactNode }) {
  return (
    <Notice tone="warn">
      <Trans>
        No wallet was found here. Open this page in your wallet's own browser, or in one that has its
        extension.
      </Trans>{" "}
      {children}
    </Notice>
  )
}

/** Why it didn't go through, where a wallet was asked; declining is no failure. */
export function WhyNot({ problem }: { problem: Error }) {
  if (!(problem instanceof WalletProblem)) return problem.message
  return problem.kind === "declined" ? (
    <Trans>You declined in the wallet. Nothing has happened.</Trans>
  ) : (
    <Trans>The wallet gave no usable answer. Unlock it and try again.</Trans>
  )
}
