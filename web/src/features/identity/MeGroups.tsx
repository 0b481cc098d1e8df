import { useLingui } from "@lingui/react/macro"
import { isBuilt } from "../../lib/unbuilt.ts"
import { Card } from "../../ui/Card.tsx"
import { Icon } from "../../ui/Icon.tsx"
import type { IconName } from "../../ui/icons.ts"
import { Row } from "../../ui/Row.tsx"

interface Entry {
  icon: IconName
  title: string
  to: string
  search?: Record<string, unknown>
}

/** The ways on from /me, in groups; only what is built. */
export function MeGroups() {
  const { t } = useLingui()
  const groups: { title: string; entries: Entry[] }[] = [
    {
      title: t`Money records`,
      entries: [
        { icon: "list", title: t`USDT account and history`, to: "/node1", search: { coin: "USDT" } },
        { icon: "list", title: t`KLS account and history`, to: "/node1", search: { coin: "KLS" } },
        { icon: "down", title: t`Top-ups`, to: "/node3", search: { tab: "records" } },
        { icon: "up", title: t`Withdrawals`, to: "/node4", search: { tab: "records" } },
        { icon: "assets", title: t`Withdrawal addresses`, to: "/address3" },
      ],
    },
    {
      title: t`Games`,
      entries: [
        { icon: "ribbon", title: t`My bets`, to: "/game1", search: { game: "odd_even", view: "bets" } },
      ],
    },
    {
      title: t`Team`,
      entries: [
        { icon: "invite", title: t`Invite friends`, to: "/invite" },
        { icon: "me", title: t`My team`, to: "/invite1" },
      ],
    },
    {
      title: t`Protection`,
      entries: [{ icon: "clock", title: t`Play limits`, to: "/me1", search: { view: "limits" } }],
    },
    {
      title: t`Help and tools`,
      entries: [
        { icon: "help", title: t`Help`, to: "/help" },
        { icon: "assets", title: t`Wallets guide`, to: "/wallet-register" },
        { icon: "down", title: t`Apps and tools`, to: "/software-download" },
      ],
    },
    { title: t`Settings`, entries: [{ icon: "gear", title: t`Language, theme, privacy`, to: "/me3" }] },
  ]
  return (
    <>
      {groups.map(({ title, entries }) => (
        <Card key={title} flush title={title}>
          {entries
            .filter(({ to }) => isBuilt(to))
            .map(({ icon, title: name, to, search }) => (
              <Row
                key={name}
                icon={<Icon name={icon} size={5} className="text-t2" />}
                title={name}
                to={to}
                search={search}
                trailing="next"
              />
            ))}
        </Card>
      ))}
    </>
  )
}
