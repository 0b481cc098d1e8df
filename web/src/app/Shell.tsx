import { useLingui } from "@lingui/react/macro"
import { Outlet, useLocation, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { useToken } from "../lib/session.ts"
import { Column } from "../ui/Column.tsx"
import { DemoBanner } from "../ui/DemoBanner.tsx"
import { OfflineBanner } from "../ui/OfflineBanner.tsx"
import { TabBar } from "../ui/TabBar.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { TABS, WITH_BAR } from "./tabs.ts"

/** What stands around every screen: banners, the bottom bar, toasts. */
export function Shell() {
  const { i18n } = useLingui()
  const router = useRouter()
  const token = useToken()
  const { pathname } = useLocation()
  const barred = WITH_BAR.has(pathname) && token !== null

  // The guard looks again when the session starts or ends, in this tab or another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token is the reason to look again
  useEffect(() => void router.invalidate(), [token, router])

  return (
    <Column barred={barred}>
      <DemoBanner />
      <OfflineBanner />
      <Outlet />
      {barred && (
        <TabBar
          tabs={TABS.map(({ root, label, icon, lit }) => ({
            to: root,
            label: i18n._(label),
            icon,
            lit: lit.test(pathname),
          }))}
        />
      )}
      <Toasts />
    </Column>
  )
}
