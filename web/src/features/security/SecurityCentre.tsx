import { useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import type { InfoAnswer } from "../../lib/api.gen.ts"
import { infoQuery } from "../../lib/queries.ts"
import { shortened } from "../../ui/Address.tsx"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { IconName } from "../../ui/icons.ts"
import { Loaded } from "../../ui/Loaded.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { SkeletonRows } from "../../ui/SkeletonRows.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { HoldNotice } from "./HoldNotice.tsx"
import { Score } from "./Score.tsx"
import type { View } from "./search.ts"

interface Line {
  /** The part of the centre that it leads to; absent where it leads `to` another screen. */
  view?: View
  to?: "/address3"
  icon: IconName
  title: string
  note?: string | undefined
  /** Whether it is set; absent where there is nothing to set. */
  met?: boolean | undefined
  /** It is set, but counts no more until it is set anew. */
  locked?: boolean
}

/** What protects the account, each with its state; only the parts that are `built`. */
export function SecurityCentre({ built }: { built: ReadonlySet<View> }) {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  return (
    <Page title={t`Security centre`} back="/me">
      <Loaded query={info} skeleton={<SkeletonRows rows={8} />}>
        {(data) => (
          <>
            <HoldNotice until={data.withdrawals_held_until} />
            <Score info={data} built={built} />
            <Groups info={data} built={built} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Groups({ info, built }: { info: InfoAnswer; built: ReadonlySet<View> }) {
  const { t } = useLingui()
  const groups: { title: string; lines: Line[] }[] = [
    {
      title: t`Ways in`,
      lines: [
        { view: "login", icon: "keypad", title: t`Log-in password`, met: true },
        { view: "email", icon: "mail", title: t`E-mail`, note: info.email, met: info.email !== "" },
        {
          view: "wallet",
          icon: "assets",
          title: t`Log-in wallet`,
          note: info.login_wallets.map(({ address }) => shortened(address)).join(" · ") || undefined,
          met: info.login_wallets.length > 0 || undefined,
        },
      ],
    },
    {
      title: t`Money out`,
      lines: [
        {
          view: "withdraw",
          icon: "lock",
          title: t`Withdrawal password`,
          met: info.out_password_set,
          locked: info.out_password_locked,
        },
        {
          view: "google",
          icon: "bolt",
          title: t`Authenticator`,
          note: t`A code from an app, besides the password`,
          met: info.google_bound,
        },
        {
          to: "/address3",
          icon: "assets",
          title: t`Withdrawal addresses`,
          note: t`Where your money can go`,
        },
      ],
    },
    {
      title: t`Watch`,
      lines: [
        { view: "sessions", icon: "globe", title: t`Sessions`, note: t`Where you are logged in` },
        { view: "log", icon: "list", title: t`Security log`, note: t`What was done, when and from where` },
        {
          view: "word",
          icon: "eye",
          title: t`Anti-phishing word`,
          note: info.anti_phishing ?? t`Every mail from us shows it`,
          met: info.anti_phishing !== null,
        },
        { view: "limits", icon: "clock", title: t`Play limits` },
      ],
    },
  ]
  return groups.map(({ title, lines }) => {
    const shown = lines.filter(({ view }) => view === undefined || built.has(view))
    if (shown.length === 0) return null
    return (
      <Card key={title} flush title={title}>
        {shown.map((line) => (
          <CentreRow key={line.title} line={line} />
        ))}
      </Card>
    )
  })
}

function CentreRow({ line: { view, to, icon, title, note, ...state } }: { line: Line }) {
  return (
    <Row
      icon={<Icon name={icon} size={5} className="text-t2" />}
      title={title}
      note={note}
      value={state.met === undefined ? undefined : <State {...state} />}
      to={to ?? "/me1"}
      search={view && { view }}
      trailing="next"
    />
  )
}

function State({ met, locked }: Pick<Line, "met" | "locked">) {
  const { t } = useLingui()
  if (locked) return <Tag tone="down">{t({ message: "Locked", context: "this protection is" })}</Tag>
  if (met) return <Tag tone="up">{t({ message: "Set", context: "this protection is" })}</Tag>
  return <Tag tone="warn">{t({ message: "Not set", context: "this protection is" })}</Tag>
}
