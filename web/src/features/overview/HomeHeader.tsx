import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { noticesQuery } from "../../lib/bulletins.ts"
import { infoQuery, rowsOf } from "../../lib/queries.ts"
import { useRead } from "../../lib/readMarks.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { HelpLink } from "../../ui/HelpLink.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { RefreshButton } from "../../ui/RefreshButton.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { UnreadDot } from "../../ui/UnreadDot.tsx"

/** Who is logged in and at which level, whether there is something to read, and the way to the settings. */
export function HomeHeader({ later }: { later: boolean }) {
  const { t } = useLingui()
  const info = useQuery(infoQuery())
  const unread = useUnreadNotices(later)
  return (
    <header className="flex min-h-14 flex-wrap items-center justify-between px-5 pt-2 max-narrow:px-4">
      <h1 className="sr-only">{t`Home`}</h1>
      <Pressable to="/me" className="flex min-h-11 items-center gap-3">
        <span className="sr-only">{t`Me`}</span>
        <Avatar account={info.data?.account ?? ""} />
        {info.data && (
          <Tag>
            <Trans>Level {info.data.level}</Trans>
          </Tag>
        )}
      </Pressable>
      <div className="-mr-3 flex">
        <span className="relative">
          <IconButton icon="bell" size={5} label={t`Bulletins`} to="/bulletin" />
          {unread && (
            <UnreadDot
              label={t`Unread`}
              className="pointer-events-none absolute top-2.5 right-3 ring-2 ring-bg"
            />
          )}
        </span>
        <IconButton icon="gear" size={5} label={t`Settings`} to="/me3" />
        <RefreshButton />
        <HelpLink />
      </div>
    </header>
  )
}

/** Whether one of the newest notices wasn't read yet; asked for only where `asked`. */
function useUnreadNotices(asked: boolean): boolean {
  const notices = useInfiniteQuery({ ...noticesQuery(), enabled: asked })
  const isRead = useRead()
  return rowsOf(notices.data).some((row) => !isRead(row))
}
