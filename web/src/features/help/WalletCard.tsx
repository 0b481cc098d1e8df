import { Trans, useLingui } from "@lingui/react/macro"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { OutsideLink } from "../../ui/OutsideLink.tsx"
import { Tag } from "../../ui/Tag.tsx"
import type { Place, Wallet } from "./tools.ts"

interface Props {
  wallet: Wallet
  /** The protocol that top-ups come by; lit where the wallet keeps it. */
  taken: string | undefined
}

/** One wallet: where it runs, what it keeps, how to copy an address in it, and its maker's site. */
export function WalletCard({ wallet: { name, site, places, protocols, copying }, taken }: Props) {
  const { t, i18n } = useLingui()
  const words: Record<Place, string> = {
    phone: t`Phone`,
    browser: t`Browser`,
    device: t`Device of its own`,
  }
  return (
    <section className="mt-3 rounded-card bg-s1 px-4 pt-4 pb-1.5">
      <div className="flex items-center gap-3">
        <CoinDisc asset={name} />
        <div className="min-w-0 flex-1">
          <h3 className="text-title">{name}</h3>
          <p className="text-small text-t3">{places.map((place) => words[place]).join(" · ")}</p>
        </div>
      </div>
      <p className="mt-3 flex flex-wrap gap-1.5">
        {protocols.map((protocol) => (
          <Tag key={protocol} tone={protocol === taken ? "info" : "quiet"}>
            {protocol}
          </Tag>
        ))}
      </p>
      <p className="mt-3 text-small text-t2">
        <span className="text-t3">
          <Trans>To copy your address:</Trans>
        </span>{" "}
        {i18n._(copying)}
      </p>
      <div className="mt-3 border-t border-line">
        <OutsideLink href={site} title={t`Official site`} />
      </div>
    </section>
  )
}
