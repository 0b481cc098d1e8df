import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { EventShape } from "../../lib/api.gen.ts"
import { pagesQuery } from "../../lib/queries.ts"
import { formatDateTime, formatTime, formatUtc } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import type { IconName } from "../../ui/icons.ts"
import { Line } from "../../ui/Line.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Sheet, useSheet } from "../../ui/Sheet.tsx"

const ICONS: [RegExp, IconName][] = [
  [/locked|frozen|closed/, "warning"],
  [/password/, "keypad"],
  [/email|phishing/, "mail"],
  [/google|factor|recovery/, "lock"],
  [/address|wallet/, "assets"],
  [/session/, "logout"],
]

/** /me1?view=log: what was done to the account, newest first; each line opens in full. */
export default function LogView() {
  const { t } = useLingui()
  const events = useInfiniteQuery(pagesQuery("/api/user/securityLog", {}))
  const [opened, setOpened] = useState<EventShape | null>(null)
  const detail = useSheet("event", opened !== null)
  return (
    <Page title={t`Security log`} back="/me1">
      <InfiniteList
        query={events}
        keyOf={({ id }) => id}
        dayOf={({ time }) => time}
        row={(event) => (
          <Row
            icon={<Icon name={iconOf(event.event)} size={5} className="text-t2" />}
            title={event.title}
            note={[formatTime(event.time), event.device, event.network].filter(Boolean).join(" · ")}
            onPress={() => {
              setOpened(event)
              detail.show()
            }}
          />
        )}
        empty={
          <Empty
            text={t`Nothing has happened yet. Log-ins and changes will stand here.`}
            action={<Button kind="quiet" small to="/me1">{t`Security centre`}</Button>}
          />
        }
      />
      {opened && <EventSheet sheet={detail} event={opened} />}
    </Page>
  )
}

function EventSheet({ sheet, event }: { sheet: ReturnType<typeof useSheet>; event: EventShape }) {
  const { t } = useLingui()
  return (
    <Sheet sheet={sheet} title={event.title}>
      <Line name={t`Time`}>{formatDateTime(event.time)}</Line>
      <Line name={t`Time in UTC`}>{formatUtc(event.time)}</Line>
      {event.device !== "" && <Line name={t`Device`}>{event.device}</Line>}
      {event.network !== "" && <Line name={t`Network`}>{event.network}</Line>}
      {event.held_until !== null && (
        <Line name={t`Withdrawals on hold until`}>{formatDateTime(event.held_until)}</Line>
      )}
      <p className="mt-3 text-small text-t2">
        <Trans>Wasn't it you? End all other sessions and change your password.</Trans>
      </p>
    </Sheet>
  )
}

const iconOf = (event: string): IconName => ICONS.find(([words]) => words.test(event))?.[1] ?? "me"
