import { Trans, useLingui } from "@lingui/react/macro"
import { detailOf, type HeadingShape, tagOf } from "../../lib/bulletins.ts"
import { useRead } from "../../lib/readMarks.ts"
import { formatDay } from "../../lib/time.ts"
import { atApi } from "../../lib/wire/index.ts"
import { Pressable } from "../../ui/Pressable.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { UnreadDot } from "../../ui/UnreadDot.tsx"

/** A bulletin in a list: what it says in two lines, and whether it was read. */
export function BulletinRow({ row }: { row: HeadingShape }) {
  const { t } = useLingui()
  const unread = !useRead()(row)
  return (
    <Pressable
      {...detailOf(row.id)}
      className="flex w-full items-start gap-3 rounded-cell py-3 text-left active:opacity-70"
    >
      <span className="min-w-0 flex-1">
        <span className="flex items-start gap-2" lang={tagOf(row.lang)}>
          {unread && <UnreadDot label={t`Unread`} className="mt-[0.45rem]" />}
          <span className="min-w-0 font-medium break-words">{row.title}</span>
        </span>
        <span className="mt-1 line-clamp-2 text-small break-words text-t2" lang={tagOf(row.lang)}>
          {row.summary}
        </span>
        <span className="mt-2 flex items-center gap-2 text-caption text-t3">
          {row.pinned && (
            <Tag>
              <Trans>Pinned</Trans>
            </Tag>
          )}
          {formatDay(row.time)}
        </span>
      </span>
      {row.picture && (
        <img
          src={atApi(row.picture.url)}
          alt=""
          loading="lazy"
          className="mt-0.5 size-18 shrink-0 rounded-chip bg-s2 object-cover"
        />
      )}
    </Pressable>
  )
}
