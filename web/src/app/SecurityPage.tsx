import { useSearch } from "@tanstack/react-router"
import { Suspense } from "react"
import { SecurityCentre } from "../features/security/SecurityCentre.tsx"
import { VIEWS } from "../features/security/search.ts"
import { SECURITY_VIEWS } from "./securityViews.ts"

const BUILT = new Set(VIEWS.filter((name) => name in SECURITY_VIEWS))

/** /me1: the security centre, or one of its parts, whichever feature it belongs to. */
export default function SecurityPage() {
  const { view } = useSearch({ from: "/me1" })
  const View = view && SECURITY_VIEWS[view]
  if (!View) return <SecurityCentre built={BUILT} />
  return (
    <Suspense fallback={null}>
      <View />
    </Suspense>
  )
}
