import { Trans } from "@lingui/react/macro"
import { update, useUpdateReady } from "../lib/update.ts"
import { Pressable } from "./Pressable.tsx"

/** Says that a newer build is there; the page is loaded anew when the member wants it, never by itself. */
export function UpdateBanner() {
  const ready = useUpdateReady()
  return (
    <div role="status">
      {ready && (
        <p className="flex items-center justify-between gap-3 bg-s2 py-1 pr-2 pl-5 text-small text-t1">
          <Trans>New version available</Trans>
          <Pressable onPress={() => void update()} className="min-h-11 px-3 font-medium text-brand-text">
            <Trans>Update</Trans>
          </Pressable>
        </p>
      )}
    </div>
  )
}
