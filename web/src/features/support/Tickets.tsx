import { Plural, Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { TicketShape } from "../../lib/api.gen.ts"
import { pagesQuery } from "../../lib/queries.ts"
import { formatMoment } from "../../lib/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Page } from "../../ui/Page.tsx"
import { Row } from "../../ui/Row.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { useStateWords } from "./words.ts"

/** What the member has asked, the ticket that was written in last first. */
export function Tickets() {
  const { t } = useLingui()
  const tickets = useInfiniteQuery(pagesQuery("/api/support/list", {}))
  return (
    <Page
      title={t`Customer service`}
      back="/me3"
      footer={
        <Button icon="mail" to="/me3" search={{ view: "service", ticket: "new" }}>
          <Trans>Write to us</Trans>
        </Button>
      }
    >
      <InfiniteList
        query={tickets}
        keyOf={({ id }) => id}
        row={(ticket) => <TicketRow ticket={ticket} />}
        empty={
          <Empty
            text={
              <Trans>
                Nothing asked yet. Many questions are answered in the help; for all others write to us.
              </Trans>
            }
            action={
              <Button kind="quiet" small to="/help">
                <Trans>Open the help</Trans>
              </Button>
            }
          />
        }
      />
    </Page>
  )
}

function TicketRow({ ticket }: { ticket: TicketShape }) {
  const words = useStateWords()
  const { id, subject, state, unread, last, time } = ticket
  const { text, tone } = words[state]
  return (
    <Row
      icon={<Icon name="mail" size={5} className={unread > 0 ? "text-brand-text" : "text-t2"} />}
      title={<span className={unread > 0 ? "font-medium" : ""}>{subject}</span>}
      note={
        <>
          <span className="line-clamp-1">{last}</span>
          {formatMoment(time)}
        </>
      }
      value={
        unread > 0 ? (
          <Tag tone="info">
            <Plural value={unread} one="# new" other="# new" />
          </Tag>
        ) : (
          <Tag tone={tone}>{text}</Tag>
        )
      }
      to="/me3"
      search={{ view: "service", ticket: id }}
      trailing="next"
    />
  )
}
