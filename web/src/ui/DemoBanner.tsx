import { Trans } from "@lingui/react/macro"
import { DEMO } from "../lib/mode.ts"

/** On every page of a demo installation: nothing here is worth anything. */
export function DemoBanner() {
  if (!DEMO) return null
  return (
    <aside className="bg-[color-mix(in_srgb,var(--warn)_14%,var(--s1))] px-5 py-1 text-center text-caption text-warn">
      <Trans>Demo: test money on a local chain, worth nothing</Trans>
    </aside>
  )
}
