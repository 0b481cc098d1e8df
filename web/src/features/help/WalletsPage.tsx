import { Trans, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { DEMO } from "../../lib/mode.ts"
import { callQuery } from "../../lib/queries.ts"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { CopyPicture, PaperPicture, SitePicture } from "./pictures.tsx"
import { Steps } from "./Steps.tsx"
import { WALLETS } from "./tools.ts"
import { WalletCard } from "./WalletCard.tsx"

/** /wallet-register: wallets to choose from, and how not to be robbed. */
export default function WalletsPage() {
  const { t } = useLingui()
  // Only lights what fits; without an answer the list stands as it is.
  const chains = useQuery(callQuery("/api/lp/chain", {}))
  const chain = chains.data?.list[0]
  return (
    <Page title={t`Wallets guide`} back="/node3">
      <Notice tone="danger">
        <Trans>
          Nobody from Kalos ever asks for your seed words or keys. Whoever has them has your coins. Type them
          nowhere but in your own wallet.
        </Trans>
      </Notice>
      {DEMO && (
        <Notice tone="danger">
          <Trans>
            Never send real coins here: they would be lost. This demo's coins are test coins on a chain of its
            own.
          </Trans>
        </Notice>
      )}
      <Card title={t`In three steps`}>
        <Steps
          steps={[
            {
              picture: <SitePicture />,
              title: t`Install it from the maker's site`,
              text: t`Take the link from there to the store. Names and signs in stores are easily copied.`,
            },
            {
              picture: <PaperPicture />,
              title: t`Write the recovery words on paper`,
              text: t`No photo, no cloud, no chat. Keep the paper where nobody finds it.`,
            },
            {
              picture: <CopyPicture />,
              title: t`Copy addresses, never type them`,
              text: t`After pasting compare the first and the last characters. Send a small amount first.`,
            },
          ]}
        />
      </Card>
      <h2 className="mt-8 text-h2">
        <Trans>Wallets</Trans>
      </h2>
      <p className="mt-1 text-small text-t3">
        {DEMO ? (
          <Trans>This demo needs no wallet: Top up sends its test coins.</Trans>
        ) : chain ? (
          <Trans>
            Top up takes {chain.contracts[0]?.asset} on {chain.name}: choose a wallet that keeps{" "}
            {chain.protocol}.
          </Trans>
        ) : (
          <Trans>The page Top up names the network that counts.</Trans>
        )}{" "}
        <Trans>No maker pays for standing here.</Trans>
      </p>
      {WALLETS.map((wallet) => (
        <WalletCard key={wallet.name} wallet={wallet} taken={chain?.protocol} />
      ))}
      <Card title={t`So nobody robs you`}>
        <ul className="flex flex-col gap-2.5 text-t2">
          {[
            t`Support that writes to you first is no support.`,
            t`A gift that needs a payment first is no gift.`,
            t`Programs that mirror your screen show your words to others.`,
            t`Approve nothing in a wallet that you don't understand.`,
            t`An address in your history may be a look-alike: copy it from its source each time.`,
          ].map((rule) => (
            <li key={rule} className="flex gap-3">
              <Icon name="check" size={4} className="mt-1 text-brand-text" />
              <span className="min-w-0">{rule}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Card flush>
        <Row title={t`Top up`} to="/node3" trailing="next" />
        <Row title={t`Withdrawal addresses`} to="/address3" trailing="next" />
        <Row title={t`Apps and tools`} to="/software-download" trailing="next" />
      </Card>
    </Page>
  )
}
