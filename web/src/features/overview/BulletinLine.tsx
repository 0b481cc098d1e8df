import { Trans, useLingui } from "@lingui/react/macro"
import { useInfiniteQuery } from "@tanstack/react-query"
import { memo } from "react"
import { noticesQuery, tagOf } from "../../lib/bulletins.ts"
import { rowsOf } from "../../lib/queries.ts"
import { useRead } from "../../lib/readMarks.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { UnreadDot } from "../../ui/UnreadDot.tsx"

const LINE = "mt-4 flex min-h-11 w-full items-center gap-2.5 rounded-chip bg-s1 px-3.5 text-small"

/** The newest notice that wasn't read, in one line; with all of them read the first of the list. */
export const BulletinLine = memo(function BulletinLine() {
  const { t } = useLingui()
  const notices = useInfiniteQuery(noticesQuery())
  const isRead = useRead()
  const rows = rowsOf(notices.data)
  const shown = rows.find((row) => !isRead(row)) ?? rows[0]
  if (notices.isPending)
    return (
      <div className={LINE}>
        <Skeleton className="h-4 w-3/5" />
      </div>
    )
  if (notices.data === undefined)
    return (
      <div className={`${LINE} justify-between text-t3`}>
        <Trans>The bulletins didn't load.</Trans>
        <Pressable onPress={() => void notices.refetch()} className="-mr-2 min-h-11 px-2 text-brand-text">
          <Trans>Try again</Trans>
        </Pressable>
      </div>
    )
  if (!shown) return null
  return (
    <Pressable to="/bulletin" className={`${LINE} active:opacity-70`}>
      <Icon name="bell" size={4} className="text-t3" />
      {!isRead(shown) && <UnreadDot label={t`Unread`} />}
      <span className="min-w-0 flex-1 truncate text-left text-t2" lang={tagOf(shown.lang)}>
        {shown.title}
      </span>
      <Icon name="next" size={4} className="text-t3" />
    </Pressable>
  )
})
