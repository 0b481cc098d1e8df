import { Trans } from "@lingui/react/macro"
import { useNavigate } from "@tanstack/react-router"
import { formatDateTime, useServerNow } from "../../lib/time.ts"
import { Address } from "../../ui/Address.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Countdown } from "../../ui/Countdown.tsx"
import { Pressable } from "../../ui/Pressable.tsx"
import type { Draft } from "./draft.ts"
import type { AddressShape } from "./queries.ts"

interface Props {
  entry: AddressShape | undefined
  network: string
  /** The book is empty. */
  none: boolean
  /** What stands in the amount's field: it stands there again when an address was chosen. */
  draft: Draft
}

/** Whereto: an entry of the book in full, and the way to another one. */
export function AddressChoice({ entry, network, none, draft }: Props) {
  const navigate = useNavigate()
  const waits = useServerNow(1000) < (entry?.usable_at ?? 0)
  const choose = async () => {
    await navigate({ to: ".", search: true as never, state: (state) => ({ ...state, draft }), replace: true })
    await navigate({ to: "/address3", search: { pick: true } })
  }
  if (entry === undefined)
    return (
      <Card title={<Trans context="where a withdrawal goes">To</Trans>}>
        <p className="mb-3 text-small text-t2">
          {none ? (
            <Trans>Withdrawals go to addresses of your own book alone, and it is empty yet.</Trans>
          ) : (
            <Trans>Choose where it goes: an address of your own book.</Trans>
          )}
        </p>
        <Button kind="quiet" small icon={none ? "plus" : "list"} onPress={() => void choose()}>
          {none ? <Trans>Add an address</Trans> : <Trans>Choose an address</Trans>}
        </Button>
      </Card>
    )
  return (
    <Card>
      <div className="-my-2 flex items-center justify-between gap-3">
        <h2 className="min-w-0 font-semibold break-words">
          <Trans>To {entry.label}</Trans>
        </h2>
        <Pressable onPress={() => void choose()} className="-mr-2 min-h-11 px-2 text-brand-text">
          <Trans>Change</Trans>
        </Pressable>
      </div>
      <Address address={entry.address} network={network} />
      {waits && (
        <p className="mt-2 text-small text-warn">
          <Trans>
            It can be used from {formatDateTime(entry.usable_at)}, in <Countdown until={entry.usable_at} />.
          </Trans>
        </p>
      )}
    </Card>
  )
}
