import { Trans, useLingui } from "@lingui/react/macro"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Row } from "../../ui/Row.tsx"
import { StepCells } from "../../ui/StepCells.tsx"

/** What protects the account. Absent until they are built: withdrawal password, authenticator, and changing any of them. */
export function SecurityCard({ info }: { info: InfoAnswer }) {
  const { t } = useLingui()
  const checks = [
    { name: t`Log-in password`, state: t({ message: "Set", context: "the password is" }), done: true },
    {
      name: t`E-mail`,
      state:
        info.email === ""
          ? t({ message: "Missing", context: "the e-mail is" })
          : t({ message: "Confirmed", context: "the e-mail is" }),
      done: info.email !== "",
    },
  ]
  return (
    <Card flush title={t`Security`}>
      <div className="pt-3 pb-1">
        <StepCells done={checks.filter(({ done }) => done).length} all={checks.length} />
      </div>
      {checks.map(({ name, state, done }) => (
        <Row
          key={name}
          icon={
            <Icon
              name={done ? "check" : "warning"}
              size={5}
              className={done ? "text-brand-text" : "text-warn"}
            />
          }
          title={name}
          value={<span className="text-small text-t3">{state}</span>}
        />
      ))}
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
