import { Trans, useLingui } from "@lingui/react/macro"
import { memo, useId } from "react"
import { useOnline } from "../../lib/network.ts"
import { ActionTile } from "../../ui/ActionTile.tsx"

/** What can be done with money; without a connection nothing of it, and the words under the row say so. */
export const Actions = memo(function Actions() {
  const { t } = useLingui()
  const why = useId()
  const online = useOnline()
  const off = online ? undefined : why
  return (
    <>
      <div className="mt-5 flex gap-2">
        <ActionTile icon="down" label={t`Top up`} to="/node3" filled off={off} />
        <ActionTile icon="up" label={t`Withdraw`} to="/node4" off={off} />
        <ActionTile icon="play" label={t`Play`} to="/game1" off={off} />
      </div>
      {!online && (
        <p id={why} className="mt-2 text-center text-small text-t3">
          <Trans>No connection to the server</Trans>
        </p>
      )}
    </>
  )
})
