import { Trans, useLingui } from "@lingui/react/macro"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"
import { BreakForm } from "./BreakForm.tsx"
import { ExcludeForm } from "./ExcludeForm.tsx"

interface Props {
  paused: number | null
  excluded: number | null
}

/** The ways to stop for a time: a break of days, an exclusion of months. */
export function PauseCard({ paused, excluded }: Props) {
  const { t } = useLingui()
  const rest = useSheet("break")
  const exclusion = useSheet("exclusion")
  return (
    <Card flush title={t`Stop for a time`}>
      <Row
        icon={<Icon name="moon" size={5} className="text-t2" />}
        title={<Trans>Take a break</Trans>}
        note={<Trans>1 to 90 days without betting and investing</Trans>}
        trailing="next"
        onPress={rest.show}
      />
      <Row
        icon={<Icon name="lock" size={5} className="text-t2" />}
        title={<Trans>Exclude yourself</Trans>}
        note={<Trans>6 months or more, can't be shortened</Trans>}
        trailing="next"
        onPress={exclusion.show}
      />
      <Sheet sheet={rest} title={t`Take a break`}>
        <BreakForm present={paused} onDone={rest.hide} />
      </Sheet>
      <Sheet sheet={exclusion} title={t`Exclude yourself`}>
        <ExcludeForm present={excluded} onDone={exclusion.hide} />
      </Sheet>
    </Card>
  )
}
