import { Trans } from "@lingui/react/macro"
import { Amount } from "./Amount.tsx"
import { Line } from "./Line.tsx"

interface Sum {
  /** Not known yet is a dash. */
  amount: string | null
  asset: string
}

interface Props {
  pays?: Sum
  fee?: Sum
  receives?: Sum
  minimum?: Sum
  maximum?: Sum
}

/** What a payment costs, brings and may be: live under a form, and again on its review. */
export function MoneyLines({ pays, fee, receives, minimum, maximum }: Props) {
  const figure = ({ amount, asset }: Sum) => <Amount value={amount} asset={asset} least={0} />
  return (
    <div aria-live="polite">
      {pays && <Line name={<Trans>Amount</Trans>}>{figure(pays)}</Line>}
      {fee && <Line name={<Trans>Fee</Trans>}>{figure(fee)}</Line>}
      {receives && <Line name={<Trans>Receives</Trans>}>{figure(receives)}</Line>}
      {minimum && <Line name={<Trans>At least</Trans>}>{figure(minimum)}</Line>}
      {maximum && <Line name={<Trans>At most</Trans>}>{figure(maximum)}</Line>}
    </div>
  )
}
