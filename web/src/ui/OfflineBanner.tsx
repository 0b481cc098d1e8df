import { Trans } from "@lingui/react/macro"
import { useOnline } from "../lib/network.ts"

/** Shown only when a request and a probe failed; clears itself when the server answers again. */
export function OfflineBanner() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="bg-s2 px-5 py-2 text-center text-small text-warn">
          <Trans>No connection to the server. What you see may be old; nothing can be sent.</Trans>
        </p>
      )}
    </div>
  )
}
