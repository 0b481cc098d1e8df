import { Trans } from "@lingui/react/macro"
import { compare, formatAmount } from "../../lib/money.ts"
import { Amount } from "../../ui/Amount.tsx"

interface Props {
  /** In USDT; where there are bands, the edge below it. */
  value: string
  bands: readonly string[]
}

const whole = (value: string) => formatAmount(value, { least: 0, most: 0 })

/** A turnover as far as it may be known: exactly, or between two edges. */
export function Turnover({ value, bands }: Props) {
  if (bands.length === 0) return <Amount value={value} asset="USDT" private most={2} />
  const next = bands.find((edge) => compare(edge, value) > 0)
  const from = whole(value)
  if (next === undefined) return <Trans>{from} USDT or more</Trans>
  const to = whole(next)
  return (
    <Trans>
      {from} to {to} USDT
    </Trans>
  )
}
