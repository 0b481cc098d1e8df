import { Trans } from "@lingui/react/macro"
import type { ValuedBalance } from "../../lib/api.gen.ts"
import { isZero, plus } from "../../lib/money.ts"
import { Amount } from "../../ui/Amount.tsx"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { Row } from "../../ui/Row.tsx"

interface Props {
  holding: ValuedBalance
  /** Decimals that all balances of the list show. */
  decimals: number
}

/** A coin: all there is of it over its value, and the one grey fact that matters. */
export function CoinRow({ holding: { asset, available, held, value }, decimals }: Props) {
  return (
    <Row
      icon={<CoinDisc asset={asset} />}
      title={asset}
      note={
        !isZero(held) ? (
          <Trans>
            <Amount value={held} private /> held
          </Trans>
        ) : (
          <Trans>All available</Trans>
        )
      }
      value={<Amount value={plus(available, held)} private least={decimals} />}
      valueNote={<Amount value={value} private least={2} most={2} />}
      to="/node1"
      search={{ coin: asset }}
    />
  )
}
