import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { newsQuery, noticesQuery } from "../../lib/bulletins.ts"
import { rowsOf } from "../../lib/queries.ts"
import { markAllRead, useRead } from "../../lib/readMarks.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Page } from "../../ui/Page.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { SkeletonTexts } from "../../ui/SkeletonTexts.tsx"
import { BulletinRow } from "./BulletinRow.tsx"

/** /bulletin: what the house tells its members, in two lists. */
export default function BulletinsPage() {
  const { t } = useLingui()
  const { tab = "notice" } = useSearch({ from: "/bulletin" })
  const navigate = useNavigate({ from: "/bulletin" })
  const isRead = useRead()
  const lists = { notice: useInfiniteQuery(noticesQuery()), news: useInfiniteQuery(newsQuery()) }
  const hasUnread = (name: keyof typeof lists) => rowsOf(lists[name].data).some((row) => !isRead(row))
  const dot = (name: keyof typeof lists) => (hasUnread(name) ? { dot: t`Unread` } : {})
  // Up to the newest: further pages hold what is older.
  const readAll = () => markAllRead(tab, Math.max(...rowsOf(lists[tab].data).map(({ time }) => time)))
  return (
    <Page
      title={t`Bulletins`}
      back="/home"
      action={
        hasUnread(tab) && (
          <Pressable onPress={readAll} className="min-h-11 px-2 text-brand-text">
            <Trans>Mark all read</Trans>
          </Pressable>
        )
      }
    >
      <Segmented
        label={t`Part`}
        options={[
          { value: "notice", label: t`Notices`, ...dot("notice") },
          { value: "news", label: t`News`, ...dot("news") },
        ]}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
      />
      <InfiniteList
        key={tab}
        query={lists[tab]}
        keyOf={(row) => row.id}
        row={(row) => <BulletinRow row={row} />}
        skeleton={<SkeletonTexts rows={6} />}
        empty={
          <Empty
            text={<Trans>Nothing has been told here yet.</Trans>}
            action={
              <Button small kind="quiet" to="/home">
                <Trans>To the start page</Trans>
              </Button>
            }
          />
        }
      />
    </Page>
  )
}
