import { Outlet, rootRouteId, useLocation, useRouteContext, useRouter } from "@tanstack/react-router"
import { Suspense, useEffect, useSyncExternalStore } from "react"
import { idle } from "../lib/later.ts"
import { optional } from "../lib/optional.ts"
import { loadTextsOf } from "../lib/texts.ts"
import { useSessionsEnded, useToken } from "../lib/useSession.ts"
import { Column } from "../ui/Column.tsx"
import { DemoBanner } from "../ui/DemoBanner.tsx"
import { OfflineBanner } from "../ui/OfflineBanner.tsx"
import { TabBar } from "../ui/TabBar.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { UpdateBanner } from "../ui/UpdateBanner.tsx"
import { LanguageOffer } from "./LanguageOffer.tsx"
import { OPEN } from "./paths.ts"
import { PULLED, WITH_BAR } from "./tabs.ts"
import { useTabs } from "./useTabs.ts"

const PullToRefresh = optional(async () => {
  await idle()
  return import("../ui/PullToRefresh.tsx")
})
const Reminder = optional(async () => {
  await idle()
  const [reminder] = await Promise.all([
    import("../features/protection/Reminder.tsx"),
    loadTextsOf("protection"),
  ])
  return reminder
})
const Rail = optional(() => import("./Rail.tsx"))
const Ledger = optional(() => import("./Ledger.tsx"))
// The breakpoints `rail` and `broad` of tokens.css: a phone never loads what stands beside the column.
const RAIL = "(min-width: 43.75rem)"
const BROAD = "(min-width: 75rem)"

/** What stands around every screen: banners, the tabs under it or beside it, toasts. */
export function Shell() {
  const router = useRouter()
  const token = useToken()
  const { token: judged } = useRouteContext({ from: rootRouteId })
  const ended = useSessionsEnded()
  const { pathname } = useLocation()
  const tabs = useTabs(pathname)
  const railed = useMedia(RAIL)
  const broad = useMedia(BROAD)
  // Between the end of a session and the way to log-in there is nobody to show anything to.
  const hidden = token === null && !OPEN.has(pathname)
  const barred = WITH_BAR.has(pathname) && token !== null
  const pulled = barred || (PULLED.has(pathname) && token !== null)

  // The guard looks again when the session starts or ends, in this tab or another.
  useEffect(() => {
    if (token !== judged) void router.invalidate()
  }, [token, judged, router])

  return (
    <Column
      barred={barred}
      rail={<Suspense>{railed && <Rail tabs={token === null ? [] : tabs} />}</Suspense>}
      aside={<Suspense>{broad && token !== null && <Ledger />}</Suspense>}
    >
      <DemoBanner />
      <OfflineBanner />
      <UpdateBanner />
      <LanguageOffer />
      {/* What a screen of one session holds must not be seen by the next. */}
      {!hidden && <Outlet key={ended} />}
      {barred && <TabBar tabs={tabs} />}
      <Suspense>{pulled && <PullToRefresh />}</Suspense>
      <Suspense>{token !== null && !hidden && <Reminder key={ended} />}</Suspense>
      <Toasts />
    </Column>
  )
}

/** Whether a media query holds, now and as the window changes. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener("change", changed)
      return () => media.removeEventListener("change", changed)
    },
    () => matchMedia(query).matches,
  )
}
