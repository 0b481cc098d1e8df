import { Trans } from "@lingui/react/macro"
import { formatAmount } from "../../lib/money.ts"
import { useWords } from "./words.ts"

interface Props {
  option: string | null
  stake: string | null
  asset: string
}

/** The bet as a sentence; what is still missing where it isn't whole. */
export function BetSentence({ option, stake, asset }: Props) {
  const words = useWords()
  if (option === null) return <Trans>Choose odd or even</Trans>
  if (stake === null) return <Trans>Type a stake</Trans>
  return (
    <Trans>
      Bet {formatAmount(stake, { least: 0 })} {asset} on {words.optionInSentence(option)}
    </Trans>
  )
}
