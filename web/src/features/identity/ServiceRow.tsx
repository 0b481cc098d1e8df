import { Plural, useLingui } from "@lingui/react/macro"
import { useQuery } from "@tanstack/react-query"
import { callQuery } from "../../lib/queries.ts"
import { Row } from "../../ui/Row.tsx"
import { Tag } from "../../ui/Tag.tsx"

/** The way to customer service, with what it has answered since one looked; without that where it can't be had. */
export function ServiceRow() {
  const { t } = useLingui()
  const unread = useQuery(callQuery("/api/support/list", { size: 1 })).data?.unread ?? 0
  return (
    <Row
      title={t`Customer service`}
      value={
        unread > 0 ? (
          <Tag tone="info">
            <Plural value={unread} one="# new" other="# new" />
          </Tag>
        ) : undefined
      }
      to="/me3"
      search={{ view: "service" }}
      trailing="next"
    />
  )
}
