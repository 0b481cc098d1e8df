import { Trans, useLingui } from "@lingui/react/macro"
import { formatDateTime, useServerNow } from "../../lib/time.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Countdown } from "../../ui/Countdown.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import { Tag } from "../../ui/Tag.tsx"
import type { BookRow } from "./queries.ts"

interface Props {
  row: BookRow
  network: string
  newest: boolean
  /** Choosing one for a withdrawal: only what can be used already. */
  onPick?: (() => void) | undefined
  onRemove: () => void
}

/** One address in full, since when it stands here, when it was used last, and whether it can be used. */
export function BookEntry({ row, network, newest, onPick, onRemove }: Props) {
  const { t } = useLingui()
  const waits = useServerNow(1000) < row.usable_at
  return (
    <div className="py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="min-w-0 text-title break-words">{row.label}</h2>
        {newest && <Tag tone="info">{t`Newest`}</Tag>}
        <span className="ml-auto">
          {waits ? (
            <Tag tone="warn">
              <Trans>
                Usable in <Countdown until={row.usable_at} />
              </Trans>
            </Tag>
          ) : (
            <Tag tone="up">{t`Usable`}</Tag>
          )}
        </span>
      </div>
      <Address address={row.address} network={network} />
      {onPick && (
        <div className="mt-3">
          <Button
            small
            onPress={onPick}
            {...(waits && { reason: t`It can be used from ${formatDateTime(row.usable_at)}` })}
          >
            <Trans>Use {row.label}</Trans>
          </Button>
        </div>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 text-small text-t3">
        <span>
          <span className="block">
            <Trans>Added {formatDateTime(row.created_at)}</Trans>
          </span>
          <span className="block">
            {row.last_used_at === null ? (
              <Trans>Never used</Trans>
            ) : (
              <Trans>Last used {formatDateTime(row.last_used_at)}</Trans>
            )}
          </span>
        </span>
        <Pressable onPress={onRemove} label={t`Delete ${row.label}`} className="min-h-11 text-danger">
          <Trans>Delete</Trans>
        </Pressable>
      </div>
    </div>
  )
}
