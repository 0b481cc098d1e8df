import { useLingui } from "@lingui/react/macro"
import { ChoiceList } from "../../ui/ChoiceList.tsx"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { useCoinNames } from "./coinNames.ts"
import { assetOf } from "./coins.ts"
import { COINS, type Coin } from "./search.ts"

interface Props {
  value: Coin | null
  onChange: (coin: Coin) => void
}

/** Every statement that there is, one of them to choose. */
export function CoinPicker({ value, onChange }: Props) {
  const { t } = useLingui()
  const nameOf = useCoinNames()
  return (
    <ChoiceList
      label={t`Coin`}
      options={COINS.map((coin) => ({
        value: coin,
        label: nameOf(coin),
        icon: <CoinDisc asset={assetOf(coin)} />,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
