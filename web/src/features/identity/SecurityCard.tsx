import { Trans, useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Row } from "../../ui/Row.tsx"

/**
 * What protects the account; nothing here counts it as enough.
 * Absent until they are built: withdrawal password, authenticator, and changing any of them.
 */
export function SecurityCard({ info }: { info: InfoAnswer }) {
  const { t } = useLingui()
  const email =
    info.email === ""
      ? t({ message: "Missing", context: "the e-mail is" })
      : t({ message: "Confirmed", context: "the e-mail is" })
  return (
    <Card flush title={t`Security`}>
      <Row
        icon={<Icon name="keypad" size={5} className="text-t2" />}
        title={<Trans>Log-in password</Trans>}
        value={
          <span className="text-small text-t3">{t({ message: "Set", context: "the password is" })}</span>
        }
      />
      <Row
        icon={<Icon name="mail" size={5} className="text-t2" />}
        title={<Trans>E-mail</Trans>}
        value={<span className="text-small text-t3">{email}</span>}
      />
      <Row
        icon={<Icon name="lock" size={5} className="text-t2" />}
        title={<Trans>How to keep it safe</Trans>}
        to="/help"
        search={{ topic: "security" }}
        trailing="next"
      />
    </Card>
  )
}
