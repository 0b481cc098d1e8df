import { Trans, useLingui } from "@lingui/react/macro"
import { formatDateTime } from "../../lib/time.ts"
import { Amount } from "../../ui/Amount.tsx"
import { Card } from "../../ui/Card.tsx"
import { CoinDisc } from "../../ui/CoinDisc.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Row } from "../../ui/Row.tsx"
import type { Standing } from "./standing.ts"

interface Props {
  standing: readonly Standing[]
  /** Whether a top-up is being confirmed. */
  isComing: boolean
  /** When the last break or exclusion ends; null while none runs. */
  paused: number | null
}

/** Why the account can't be closed yet: each coin with what there is of it, and where it is seen. */
export function InTheWay({ standing, isComing, paused }: Props) {
  const { t } = useLingui()
  return (
    <Card flush title={t`Still in the way`}>
      {standing.map(({ asset, amount, isHeld }) => (
        <Row
          key={asset}
          icon={<CoinDisc asset={asset} />}
          title={asset}
          note={isHeld ? t`Partly held, in open bets or withdrawals` : undefined}
          value={<Amount value={amount} private least={0} />}
          to="/node1"
          search={{ coin: asset }}
          trailing="next"
        />
      ))}
      {isComing && (
        <Row
          icon={<Icon name="down" size={5} className="text-t2" />}
          title={<Trans>A top-up is on its way</Trans>}
          note={<Trans>It is credited first</Trans>}
          to="/node3"
          search={{ tab: "records" }}
          trailing="next"
        />
      )}
      {paused !== null && (
        <Row
          icon={<Icon name="clock" size={5} className="text-t2" />}
          title={<Trans>Your break from playing runs</Trans>}
          note={<Trans>The account can be closed after {formatDateTime(paused)}</Trans>}
          to="/me1"
          search={{ view: "limits" }}
          trailing="next"
        />
      )}
    </Card>
  )
}
